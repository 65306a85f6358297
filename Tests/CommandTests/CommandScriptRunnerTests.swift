import Testing
import Workbench

@Suite("The runner of command scripts", .timeLimit(.minutes(5)))
struct CommandScriptRunnerTests {
    /// The number of steps whose output and ending are as expected.
    private func outcomes(_ text: String) throws -> [Bool] {
        try CommandScript(text).steps.map { step in
            try ProgramRun(["sh", "-c", step.line]).matches(step)
        }
    }

    @Test(
        "A step passes if its output is as shown",
        arguments: [
            "$ echo one\none", "$ true", "# why\n\n$ echo one; echo two\none\ntwo\n\n", "$ echo one >&2\n2| one",
            "$ exit 3\n[exit 3]",
            "$ kill -9 $$\n[signal 9]", "$ echo; echo a\n\na", "$ echo '# x'\n\\# x", "$ echo '{…}'\n\\{…}",
            "$ echo '/usr/'\n\\/usr/", "$ echo '[exit 2]'\n\\[exit 2]", "$ printf '%s' '\\a'\n\\\\a",
            "$ echo >&2; echo a >&2\n2|\n2| a",
            "$ echo one two\none {…}", "$ echo one two\n{…}two", "$ echo one two\no{…} t{…}o", "$ echo 'a{…}b'\n{…}{…}",
            "$ seq 3\n{…}", "$ seq 3\n1\n{…}\n3", "$ seq 3\n{…}\n1\n2\n3\n{…}", "$ seq 3\n{…}\n2\n{…}",
            "$ echo abc123\n/[a-z]+\\d{3}/",
        ]
    )
    func passes(_ script: String) throws {
        #expect(try outcomes(script).allSatisfy(\.self))
    }

    @Test(
        "A step fails if its output or ending differs",
        arguments: [
            "$ echo one\ntwo", "$ echo one", "$ true\none", "$ echo one >&2\none", "$ echo one\n2| one", "$ exit 3",
            "$ true\n[exit 1]",
            "$ exit 9\n[signal 9]", "$ seq 3\n1\n2", "$ seq 3\n{…}\n4", "$ echo one two\none{…}x",
            "$ echo one\none{…}one",
            "$ echo abc\n/[a-b]+/", "$ echo; echo a\na", "$ echo ab\n{…}b{…}a",
        ]
    )
    func fails(_ script: String) throws {
        #expect(try outcomes(script) == [false])
    }

    @Test(
        "A script with a fault of its own is refused",
        arguments: [
            ("one", 1), ("\n\n# a\n\nx\n$ true", 5), ("$ a\n[exit]", 2), ("$ a\n[exit x]", 2), ("$ a\n[done 1]", 2),
            ("$ a\n/(/", 2),
        ]
    )
    func refuses(_ text: String, _ line: Int) throws {
        let fault = try #require(throws: CommandScript.Fault.self) { try CommandScript(text) }
        #expect(fault.line == line)
    }

    @Test("A report has the expected and the seen output")
    func report() throws {
        let script = try CommandScript("$ echo seen; echo told >&2\nwanted\n2| else\n[exit 4]")
        let report = try ProgramRun(["sh", "-c", script.steps[0].line]).report(for: script.steps[0])
        for part in ["$ echo seen", "    wanted", "    seen", "    else", "    told", "exit(4)", "exit(0)"] {
            #expect(report.contains(part))
        }
    }
}

@Suite("The run of a program", .timeLimit(.minutes(5)))
struct ProgramRunTests {
    @Test("A program is killed with its children at its deadline")
    func deadline() throws {
        let start = ContinuousClock.now
        let run = try ProgramRun(
            ["sh", "-c", "echo first; cat /dev/zero | cat > /dev/null"],
            deadline: .milliseconds(200)
        )
        #expect(run.ending == .deadline)
        #expect(run.output == "first\n")
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("A program may print more than a pipe holds to both outputs")
    func large() throws {
        let run = try ProgramRun([
            "sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero | tr '\\0' y >&2",
        ])
        #expect(run.ending == .exit(0))
        #expect((run.output.utf8.count, run.complaint.utf8.count) == (300_000, 300_000))
    }

    @Test("A program has the given folder and variables, and an empty input")
    func surroundings() throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun(
            ["sh", "-c", "pwd; env; cat"],
            in: folder.path,
            environment: ["A": "1", "PATH": "/usr/bin:/bin"]
        )
        let lines = run.output.split(separator: "\n").filter {
            !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") && !$0.hasPrefix("OLDPWD=")
        }
        #expect(Set(lines) == [folder.path[...], "A=1", "PATH=/usr/bin:/bin"])
    }

    @Test("A program that does not exist ends like one that the shell can't find")
    func missing() throws {
        #expect(try ProgramRun(["no-such-program"]).ending == .exit(127))
        #expect(try ProgramRun(["true"], in: "/no/such/folder").ending != .exit(0))
    }

    @Test("A temporary folder is removed with all its files")
    func folderGoes() throws {
        var path = ""
        do {
            let folder = try TemporaryFolder()
            path = folder.path
            try folder.write("x", to: "file")
            #expect(try ProgramRun(["cat", "file"], in: folder.path).output == "x")
        }
        #expect(try ProgramRun(["ls", path]).ending != .exit(0))
    }
}
