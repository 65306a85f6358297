import Workbench

/// The name of a test is a sentence with a subject, and that of a suite a noun phrase, in plain English.
///
/// A name that continues the name of its suite can't be understood in a list of failures.
enum TestNameRule {
    /// First words of a name without a subject of its own.
    private static let openings: Set = [
        "and", "anybody", "are", "asks", "can", "can't", "comes", "covers", "does", "everybody", "finds", "gets",
        "gives",
        "goes", "had", "has", "have", "holds", "how", "is", "keeps", "leaves", "lets", "marks", "may", "must", "never",
        "nobody", "of", "or", "says", "sends", "shows", "somebody", "takes", "tells", "was", "were", "what", "whatever",
        "where", "whether", "which", "who", "whoever", "whom", "whose",
    ]

    /// Phrases that a reader must guess at. The glossary has the rest, for all texts.
    private static let phrases = [
        "anew", "any more", "anybody", "brings", "everybody", "has to", "have to", "is told", "lacks", "lies", "nobody",
        "no more", "somebody", "stands", "what is not", "whoever",
    ]

    static func findings(in text: String, at path: String) -> [Finding] {
        names(in: text).compactMap { line, name in
            let words = name.lowercased().split { !$0.isLetter && $0 != "'" }
            let spoken = " \(words.joined(separator: " ")) "
            // A first word in backticks is a command.
            let isOpening = !name.hasPrefix("`") && words.first.map { openings.contains(String($0)) } == true
            let fault =
                isOpening
                ? "begins with “\(words[0])”" : phrases.first { spoken.contains(" \($0) ") }.map { "has “\($0)”" }
            return fault.map { Finding(path: path, line: line, text: "the name “\(name)” \($0)") }
        }
    }

    /// The name of each test and suite, with its line. It is on the line of the attribute, or on the next one.
    private static func names(in text: String) -> [(line: Int, name: String)] {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.indices.compactMap { index in
            let line = lines[index].drop { $0 == UInt8(ascii: " ") }
            guard line.starts(with: "@Test(".utf8) || line.starts(with: "@Suite(".utf8) else { return nil }
            let isBroken = line.last == UInt8(ascii: "(") && index + 1 < lines.count
            let place = isBroken ? index + 1 : index
            let parts = String(Substring(lines[place])).split(separator: "\"", omittingEmptySubsequences: false)
            guard parts.count > 2, parts[0].hasSuffix(isBroken ? " " : "(") else { return nil }
            return (place + 1, String(parts[1]))
        }
    }
}
