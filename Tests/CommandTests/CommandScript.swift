import Workbench

/// A text that shows commands with their output. A test runs it and compares the output.
///
///     # A comment.
///     $ huddle browse --for 1s
///     looking for {…}
///     2| huddle: the network is down: check the cable
///     [exit 1]
///
/// - `$` begins a command, which `sh` runs. All commands of a script run one after the other in the same empty folder,
///   which is also their `$HOME` and `$TMPDIR`; the programs of this build come first in their `$PATH`.
/// - The lines below it are its standard output. Those that begin with `2| ` are its standard error.
/// - `[exit N]` is its exit code (default: 0). `[signal N]` means that a signal ended it.
/// - `{…}` matches any text within a line. On a line of its own, it matches any lines, or none. A line between slashes
///   is a regular expression that the whole line matches.
/// - Lines that begin with `#` are comments. A backslash at the beginning of a line makes the rest plain text.
/// - Empty lines at the end of an output don't count.
struct CommandScript: Sendable {
    /// One command with its expected output and ending.
    struct Step: Sendable {
        let line: String
        let lineNumber: Int
        var output: [ExpectedLine] = []
        var complaint: [ExpectedLine] = []
        var ending = ProgramRun.Ending.exit(0)
    }

    private(set) var steps: [Step] = []

    /// - Throws: ``Fault`` if the text does not have this form
    init(_ text: String) throws(Fault) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            try read(String(line), number: index + 1)
        }
        for index in steps.indices {
            steps[index].output.dropTrailingEmptyLines()
            steps[index].complaint.dropTrailingEmptyLines()
        }
    }

    private mutating func read(_ line: String, number: Int) throws(Fault) {
        if line.hasPrefix("#") { return }
        if line.hasPrefix("$ ") {
            steps.append(Step(line: String(line.dropFirst(2)), lineNumber: number))
            return
        }
        guard !steps.isEmpty else {
            guard line.isEmpty else { throw Fault(line: number, reason: "output stands before the first command") }
            return
        }
        let last = steps.count - 1
        if line.hasPrefix("2| ") || line == "2|" {
            steps[last].complaint.append(try ExpectedLine(String(line.dropFirst(3)), number: number))
        } else if line.hasPrefix("["), line.hasSuffix("]") {
            steps[last].ending = try Self.ending(line, number: number)
        } else {
            steps[last].output.append(try ExpectedLine(line, number: number))
        }
    }

    private static func ending(_ line: String, number: Int) throws(Fault) -> ProgramRun.Ending {
        let words = line.dropFirst().dropLast().split(separator: " ")
        guard words.count == 2, let code = Int(words[1]) else {
            throw Fault(line: number, reason: "an ending is written [exit 2] or [signal 15]")
        }
        switch words[0] {
        case "exit": return .exit(code)
        case "signal": return .signal(code)
        default: throw Fault(line: number, reason: "an ending is written [exit 2] or [signal 15]")
        }
    }

    /// A fault in the text of a script.
    struct Fault: Error, Equatable {
        let line: Int
        let reason: String
    }
}
