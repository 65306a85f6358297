import Testing
import Workbench

/// `Tests/run` with a program in place of the tests, which behaves as its selection says.
@Suite("The script that runs the tests", .timeLimit(.minutes(5)))
struct TestRunTests {
    /// A program that reports failed tests as the test library does. If `stubborn` is set, it fails alone, too.
    private static let program = #"""
        while [ $# -gt 0 ]; do
            case $1 in
            --event-stream-output-path) events=$2; shift ;;
            --filter) selection=$2; shift ;;
                esac
            shift
        done
        echo "selected: $selection"
        tell() {
            echo "{\"kind\":\"event\",\"payload\":{\"kind\":\"$1\",\"testID\":\"Module.$2\\/Some.swift:9:6\"},\"version\":0}" >>"$events"
        }
        case $selection in
        crash)
            echo 'WARNING: ThreadSanitizer: data race'
            echo '  Write of size 8'
            echo '◇ Test case passing 1 argument "that is one of many" started.'
            for line in $(seq 100); do echo "line $line"; done
            exit 66
            ;;
        hang) echo '◇ Test "that waits" started.'; kill -9 $$ ;;
        bad)
            tell testStarted 'Suites.Suite\/fine()'
            tell testEnded 'Suites.Suite\/fine()'
            for name in $(seq "$many"); do
                tell testStarted "Suites.Suite\/test$name(of:)"
                tell issueRecorded "Suites.Suite\/test$name(of:)"
                tell issueRecorded "Suites.Suite\/test$name(of:)"
                tell testEnded "Suites.Suite\/test$name(of:)"
            done
            exit 1
            ;;
        silent)
            echo '◇ Test "that waits" started.'
            tell testStarted 'Suite'
            tell testStarted 'Suite\/quick()'
            tell testEnded 'Suite\/quick()'
            tell testStarted 'Suite\/waits()'
            exec sleep 600
            ;;
        good) tell testStarted 'Suite\/fine()'; tell testEnded 'Suite\/fine()' ;;
        *) [ -z "$stubborn" ] ;;
        esac
        """#

    private func run(
        _ words: String...,
        many: Int = 1,
        stubborn: Bool = false,
        longestSilence: Int = 720
    ) throws -> ProgramRun {
        let folder = try TemporaryFolder()
        let program = try folder.write(Self.program, to: "tests")
        return try ProgramRun(
            ["bash", "\(Repository.root)/Tests/run", "sh", program, "--"] + words,
            environment: [
                "PATH": "/usr/bin:/bin", "TMPDIR": folder.path, "HUDDLE_LONGEST_SILENCE": "\(longestSilence)",
                "many": "\(many)", "stubborn": stubborn ? "yes" : "",
            ]
        )
    }

    @Test("The run passes if every selection passes, and prints their outputs in order")
    func passes() throws {
        let run = try run("--filter", "good", "+", "--filter", "good", "--skip", "other")
        #expect(run.ending == .exit(0))
        #expect(run.output == "selected: good\nselected: good\n")
    }

    @Test("A failed test runs once more alone, and the run names it if it passes then")
    func repeats() throws {
        let run = try run("--filter", "good", "+", "--filter", "bad")
        #expect(run.ending == .exit(0))
        #expect(run.output.contains(#"selected: ^Module[./]Suites[./]Suite/test1\(of:\)"#))
        #expect(
            run.output.hasSuffix(
                "Passed alone, after having failed beside other tests\n   Module.Suites.Suite/test1(of:)\n"
            )
        )
    }

    @Test("The run fails if a test fails alone, too")
    func fails() throws {
        #expect(try run("--filter", "bad", stubborn: true).ending == .exit(1))
    }

    @Test(
        "A program without progress is ended, and its unfinished tests run alone",
        arguments: [true, false]
    )
    func silent(passesAlone: Bool) throws {
        let run = try run("--filter", "silent", "+", "--filter", "good", stubborn: !passesAlone, longestSilence: 2)
        #expect(run.ending == .exit(passesAlone ? 0 : 1))
        #expect(run.complaint.contains("no test has ended") && run.complaint.contains("Test \"that waits\""))
        #expect(run.output.contains(#"selected: ^Module[./]Suite/waits\(\)"#) && !run.output.contains("quick"))
    }

    @Test("The run fails at once if many tests failed, and names them")
    func many() throws {
        let run = try run("--filter", "bad", many: 13)
        #expect(run.ending == .exit(1))
        #expect(run.output.contains("test13(of:)"))
        #expect(!run.output.contains("selected: ^"))
    }

    @Test(
        "The run fails if a program crashes, and names its unfinished tests",
        arguments: ["crash", "hang"]
    )
    func crashes(_ selection: String) throws {
        let run = try run("--filter", "bad", "+", "--filter", selection)
        #expect(run.ending == .exit(1))
        #expect(!run.output.contains("selected: ^"))
        #expect(run.complaint.contains("Test \"that waits\"") == (selection == "hang"))
        #expect(run.complaint.contains("data race\n     Write of size 8\n   line 1\n") == (selection == "crash"))
        #expect(!run.complaint.contains("one of many") && !run.complaint.contains("line 90"))
    }
}
