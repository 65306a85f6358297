/// A command line of `huddle` that a page shows.
struct PageCommand {
    /// The line as it is typed, from `huddle` on.
    let line: String

    /// The words after `huddle`.
    let words: [String]

    /// True if arguments may be missing: the line is part of a sentence, or has an ellipsis.
    let isForm: Bool

    /// The commands of a page, in order.
    static func all(in page: String) -> [PageCommand] {
        // Odd parts are blocks of code.
        page.split(separator: "```", omittingEmptySubsequences: false).enumerated().flatMap { number, part in
            number.isMultiple(of: 2) ? inSentences(part) : inBlock(part)
        }
    }

    private static func inSentences(_ text: Substring) -> [PageCommand] {
        let spans = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        return spans.filter { !$0.offset.isMultiple(of: 2) }.flatMap { span in
            commands(in: span.element, isInSentence: true)
        }
    }

    private static func inBlock(_ text: Substring) -> [PageCommand] {
        text.split(separator: "\n").flatMap { line in
            commands(in: line.drop { $0 == " " }.trimmingPrefix(/[a-z]*[$#] +/), isInSentence: false)
        }
    }

    /// The commands of one line: a shell separates them by pipes and semicolons, and ends them at a redirection.
    private static func commands(in line: Substring, isInSentence: Bool) -> [PageCommand] {
        var commands: [[String]] = [[]]
        var isRedirected = false
        for word in shellWords(of: line) {
            switch word {
            case "|", ";", "&&", "||", "&":
                commands.append([])
                isRedirected = false
            case _ where word.hasPrefix(">") || word.hasPrefix("2>") || word.hasPrefix("<"): isRedirected = true
            default: if !isRedirected { commands[commands.count - 1].append(word) }
            }
        }
        return commands.compactMap { words in
            let typed = words.drop { $0 == "sudo" || $0.contains(/^[A-Z_]+=/) }
            // A word and a number, as in `huddle version 1`, is the header of a signed record.
            let isHeader = isInSentence && typed.count == 3 && typed.last.flatMap { Int($0) } != nil
            guard typed.first == "huddle", !isHeader else { return nil }
            let words = typed.dropFirst().filter { !$0.contains("…") }
            let isForm = isInSentence || words.count < typed.count - 1
            return PageCommand(line: typed.joined(separator: " "), words: words, isForm: isForm)
        }
    }

    /// The words of a line as a shell has them, up to a remark. Quotes keep spaces together.
    private static func shellWords(of line: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch (quote, character) {
            case (let open?, _) where character == open: quote = nil
            case (.some, _): word = (word ?? "") + String(character)
            case (nil, "'"), (nil, "\""):
                quote = character
                word = word ?? ""
            case (nil, "#") where word == nil: return words
            case (nil, " "), (nil, "\n"):
                if let done = word { words.append(done) }
                word = nil
            case (nil, ";"):
                words += (word.map { [$0] } ?? []) + [";"]
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
