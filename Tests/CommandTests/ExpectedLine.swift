/// A line that a command is expected to print.
struct ExpectedLine: Sendable {
    private enum Form: Sendable {
        /// Texts with any text between them; one text alone is the whole line.
        case texts([String])
        case anyLines
        /// A regular expression as text, since a `Regex` is not `Sendable`.
        case pattern(String)
    }

    private let form: Form

    /// The line as the script has it.
    let text: String

    init(_ text: String, number: Int) throws(CommandScript.Fault) {
        self.text = text
        if text.hasPrefix("\\") {
            form = .texts([String(text.dropFirst())])
        } else if text == "{…}" {
            form = .anyLines
        } else if text.count > 2, text.hasPrefix("/"), text.hasSuffix("/") {
            let pattern = String(text.dropFirst().dropLast())
            guard (try? Regex(pattern)) != nil else {
                throw CommandScript.Fault(line: number, reason: "this is not a regular expression")
            }
            form = .pattern(pattern)
        } else {
            form = .texts(Self.parts(of: text))
        }
    }

    /// Returns true if the lines are exactly the expected ones.
    static func match(_ expected: ArraySlice<ExpectedLine>, _ lines: ArraySlice<Substring>) -> Bool {
        guard let first = expected.first else { return lines.isEmpty }
        if case .anyLines = first.form {
            return (0...lines.count).contains { match(expected.dropFirst(), lines.dropFirst($0)) }
        }
        guard let line = lines.first, first.matches(line) else { return false }
        return match(expected.dropFirst(), lines.dropFirst())
    }

    private func matches(_ line: Substring) -> Bool {
        switch form {
        case .anyLines: true
        case .pattern(let pattern): (try? Regex(pattern).wholeMatch(in: line)) != nil
        case .texts(let texts): Self.matches(line, texts)
        }
    }

    private static func matches(_ line: Substring, _ texts: [String]) -> Bool {
        guard let first = texts.first, let last = texts.last, texts.count > 1 else { return line == texts.first ?? "" }
        guard line.hasPrefix(first) else { return false }
        var rest = line.dropFirst(first.count)
        for text in texts.dropFirst().dropLast() where !text.isEmpty {
            guard let found = rest.ranges(of: text).first else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    private static func parts(of text: String) -> [String] {
        text.split(separator: "{…}", omittingEmptySubsequences: false).map(String.init)
    }
}

extension [ExpectedLine] {
    mutating func dropTrailingEmptyLines() {
        while let last, last.text.isEmpty { removeLast() }
    }
}
