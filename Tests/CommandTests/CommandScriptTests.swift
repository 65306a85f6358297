import CommandTable
import Glibc
import Testing
import Workbench

@testable import huddle

@Suite("Command scripts", .timeLimit(.minutes(10)))
struct CommandScriptTests {
    private static let folder = "Tests/CommandTests/Scripts"
    private static let ending = ".commands.txt"
    private static let names = Repository.files(below: folder, withSuffix: ending).map { path in
        String(path.dropFirst(folder.count + 1).dropLast(ending.count))
    }

    @Test("The commands of a script print the output that it shows", arguments: names)
    func stillHolds(_ name: String) throws {
        let path = "\(Self.folder)/\(name)\(Self.ending)"
        let page = try JSONPage()
        let script = try CommandScript(try Repository.text(of: path))
        let folder = try TemporaryFolder()
        for step in script.steps {
            let run = try ProgramRun(
                ["sh", "-c", step.line],
                in: folder.path,
                environment: Self.environment(home: folder.path),
                deadline: .seconds(30)
            )
            let location = SourceLocation(
                fileID: "CommandTests/\(name)",
                filePath: "\(Repository.root)/\(path)",
                line: step.lineNumber,
                column: 1
            )
            if !run.matches(step) { Issue.record("\(run.report(for: step))", sourceLocation: location) }
            for fault in run.strangeObjects(of: step, by: page) {
                Issue.record("\(fault)", sourceLocation: location)
            }
        }
    }

    @Test("Each command is in a script, also with JSON")
    func completeness() throws {
        let lines = try Self.names.flatMap { name in
            try CommandScript(try Repository.text(of: "\(Self.folder)/\(name)\(Self.ending)")).steps.map(\.line)
        }
        for (words, command) in HuddleProgram.table.root.commands(after: "huddle") {
            let runs = lines.filter {
                $0.firstRange(of: "\(words) ") != nil || $0.hasSuffix(words) || $0.contains("\(words);")
            }
            #expect(!runs.isEmpty, "no script runs “\(words)”")
            guard command.options.contains(where: { $0.shape.longForm == "--json" }) else { continue }
            #expect(runs.contains { $0.contains("--json") }, "no script runs “\(words) --json”")
        }
    }

    @Test("There are scripts")
    func exists() {
        #expect(!Self.names.isEmpty)
    }

    private static func environment(home: String) -> [String: String] {
        var variables = [
            "PATH": "\(Programs.builtFolder):/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": home,
            "TMPDIR": home,
            "LC_ALL": "C.UTF-8",
            "HUDDLE_USUAL_PORT": "0",
        ]
        // A sanitizer's settings count for the programs under test as well.
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

extension Command<CommandAction> {
    /// The commands without subcommands, with all the words to type.
    fileprivate func commands(after words: String) -> [(words: String, command: Command)] {
        subcommands.flatMap { command in
            let typed = "\(words) \(command.name)"
            return command.subcommands.isEmpty ? [(typed, command)] : command.commands(after: typed)
        }
    }
}

extension ProgramRun {
    /// The printed objects that differ from the description on the page.
    func strangeObjects(of step: CommandScript.Step, by page: JSONPage) -> [String] {
        guard step.line.contains("--json") else { return [] }
        let command = step.line.firstMatch(of: /huddle (?:state |(?=games))([a-z]+)/).map { String($0.1) }
        return output.linesThatCount.filter { $0.hasPrefix("{") }.compactMap { line in
            page.fault(in: line, of: command).map { "\(step.line)\n\(line)\n\($0)" }
        }
    }
}

extension String {
    fileprivate var linesThatCount: ArraySlice<Substring> {
        var lines = split(separator: "\n", omittingEmptySubsequences: false)[...]
        while lines.last == "" { lines.removeLast() }
        return lines
    }
}
