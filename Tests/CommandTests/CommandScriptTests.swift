import Glibc
import Testing
import Workbench

@Suite("a command script", .timeLimit(.minutes(10)))
struct CommandScriptTests {
    private static let folder = "Tests/CommandTests/Scripts"
    private static let ending = ".commands.txt"
    private static let names = Repository.files(below: folder, withSuffix: ending).map { path in
        String(path.dropFirst(folder.count + 1).dropLast(ending.count))
    }

    @Test("still prints what it shows", arguments: names)
    func stillHolds(_ name: String) throws {
        let path = "\(Self.folder)/\(name)\(Self.ending)"
        let script = try CommandScript(try Repository.text(of: path))
        let folder = try TemporaryFolder()
        for step in script.steps {
            let run = try ProgramRun(
                ["sh", "-c", step.line],
                in: folder.path,
                environment: Self.environment(home: folder.path),
                deadline: .seconds(30)
            )
            guard !run.matches(step) else { continue }
            let location = SourceLocation(
                fileID: "CommandTests/\(name)",
                filePath: "\(Repository.root)/\(path)",
                line: step.lineNumber,
                column: 1
            )
            Issue.record("\(run.report(for: step))", sourceLocation: location)
        }
    }

    @Test("exists for every program")
    func exists() {
        #expect(!Self.names.isEmpty)
    }

    private static func environment(home: String) -> [String: String] {
        var variables = [
            "PATH": "\(Programs.builtFolder):/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": home,
            "TMPDIR": home,
            "LC_ALL": "C.UTF-8",
        ]
        // A sanitizer's settings hold for the programs under test as well.
        for name in ["TSAN_OPTIONS", "ASAN_OPTIONS", "LD_LIBRARY_PATH", "LD_PRELOAD"] {
            variables[name] = getenv(name).map { String(cString: $0) }
        }
        return variables
    }
}

extension ProgramRun {
    func matches(_ step: CommandScript.Step) -> Bool {
        ending == step.ending && ExpectedLine.match(step.output[...], output.linesThatCount)
            && ExpectedLine.match(step.complaint[...], complaint.linesThatCount)
    }

    func report(for step: CommandScript.Step) -> String {
        func block(_ title: String, _ expected: [ExpectedLine], _ printed: String) -> String {
            let wanted = expected.map { "    \($0.text)" }.joined(separator: "\n")
            let seen = printed.linesThatCount.map { "    \($0)" }.joined(separator: "\n")
            return "  \(title) expected:\n\(wanted)\n  \(title) seen:\n\(seen)"
        }
        return """
            $ \(step.line)
            \(block("output", step.output, output))
            \(block("standard error", step.complaint, complaint))
              ending expected: \(step.ending), seen: \(ending)
            """
    }
}

extension String {
    fileprivate var linesThatCount: ArraySlice<Substring> {
        var lines = split(separator: "\n", omittingEmptySubsequences: false)[...]
        while lines.last == "" { lines.removeLast() }
        return lines
    }
}
