import Glibc
import Workbench

/// Words that a reader of English has to guess at, as `docs/internals/glossary.md` lists them.
///
/// Everything works on bytes: with `String` the search of the whole repository takes tens of seconds in a debug build.
struct WordRule {
    /// Phrases that no comment, text or page may have.
    let plain: [[UInt8]]

    /// Phrases that no text for users may have, besides.
    let forUsers: [[UInt8]]

    static let commandPage = "docs/reference/cli.md"

    /// First words of a doc comment that make a riddle of it.
    static let riddles = ["What", "Who", "Whoever", "Whether", "Where"].map { Array("/// \($0) ".utf8) }

    init(glossary: String) {
        plain = Self.phrases(in: glossary, below: "## Plain English")
        forUsers = Self.phrases(in: glossary, below: "## Words for people")
    }

    /// The phrases in backticks that follow “Not:” in an item or paragraph of one section.
    private static func phrases(in glossary: String, below title: String) -> [[UInt8]] {
        let section = glossary.components(after: "\n\(title)\n").components(before: "\n## ")
        return section.split(separator: "Not:").dropFirst().flatMap { part -> [[UInt8]] in
            let text = part.components(before: "\n- ").components(before: "\n\n").components(before: ". ")
            return text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { Array($0.element.utf8) }
        }
    }

    /// Findings of one file: its Swift code counts as far as it is comment or text, which bytes alone don't show, so
    /// that a name of the code counts too.
    func findings(in bytes: [UInt8], at path: String) -> [Finding] {
        let isCode = path.hasSuffix(".swift")
        // The page of the commands is a list of help texts: each is in a block, and all of it is prose.
        let text = isCode || path == Self.commandPage ? bytes : Self.prose(of: bytes)
        let phrases = plain + (Self.isForUsers(path) ? forUsers : [])
        var found = phrases.flatMap { phrase in
            Self.places(of: phrase, in: text).map { place in
                let name = "“\(String(decoding: phrase, as: UTF8.self))”"
                return Finding(path: path, line: Self.line(of: place, in: text), text: "the glossary has no \(name)")
            }
        }
        if isCode {
            found += Self.riddles.flatMap { riddle in
                Self.hits(of: riddle, in: text).filter { Self.beginsComment(at: $0, in: text) }.map { place in
                    let name = "“\(String(decoding: riddle.dropFirst(4).dropLast(), as: UTF8.self))”"
                    return Finding(
                        path: path,
                        line: Self.line(of: place, in: text),
                        text: "a doc comment begins with a noun or a verb, not with \(name)"
                    )
                }
            }
        }
        return found
    }

    private static func isForUsers(_ path: String) -> Bool {
        let folders = ["docs/tutorial/", "docs/how-to/", "docs/explanation/"]
        return path == "README.md" || path == commandPage || folders.contains { path.hasPrefix($0) }
    }
}

extension WordRule {
    /// The places of a phrase as whole words, with a small or a capital first letter. A word alone in backticks or
    /// quotes is a name, such as the user `nobody`.
    private static func places(of phrase: [UInt8], in text: [UInt8]) -> [Int] {
        hits(of: Array(phrase.dropFirst()), in: text).compactMap { hit in
            let start = hit - 1
            let end = start + phrase.count
            guard start >= 0, text[start] | 0x20 == phrase[0] else { return nil }
            let before = start > 0 ? text[start - 1] : 0x20
            let after = end < text.count ? text[end] : 0x20
            // An error code such as `command.no-machine-pairs` is a name, too, and so is a command such as `huddle
            // peers`.
            let isPart = before == UInt8(ascii: ".") || isCommand(at: start, in: text)
            let isName = isPart || before == after && (before == UInt8(ascii: "`") || before == UInt8(ascii: "\""))
            return isWordByte(before) || isWordByte(after) || isName ? nil : start
        }
    }

    /// True for a word right after `huddle`, or at the beginning of a line in a list of commands.
    private static func isCommand(at place: Int, in text: [UInt8]) -> Bool {
        let line = text[..<place].suffix(3)
        return line.elementsEqual("\n  ".utf8) || text[..<place].suffix(7).elementsEqual("huddle ".utf8)
    }

    /// Every place of a needle. A text ends at its first zero byte, which no source file and no page has.
    private static func hits(of needle: [UInt8], in text: [UInt8]) -> [Int] {
        var found: [Int] = []
        let terminated = (text: text + [0], needle: needle + [0])
        terminated.text.withUnsafeBytes { text in
            // A buffer of at least one byte has an address.
            guard var rest = text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            let start = rest
            terminated.needle.withUnsafeBytes { needle in
                let needle = needle.bindMemory(to: CChar.self).baseAddress
                while let needle, let hit = strstr(rest, needle) {
                    found.append(UnsafePointer(hit) - start)
                    rest = UnsafePointer(hit) + 1
                }
            }
        }
        return found
    }

    /// True unless the line before is a doc comment, too.
    private static func beginsComment(at place: Int, in text: [UInt8]) -> Bool {
        let newline = UInt8(ascii: "\n")
        guard let end = text[..<place].lastIndex(of: newline) else { return true }
        let above = text[(text[..<end].lastIndex(of: newline).map { $0 + 1 } ?? 0)..<end]
        return !above.drop { $0 == UInt8(ascii: " ") }.starts(with: "///".utf8)
    }

    private static func line(of place: Int, in text: [UInt8]) -> Int {
        hits(of: [UInt8(ascii: "\n")], in: Array(text[..<place])).count + 1
    }

    /// A page without its code: blocks and spans are blank, so that lines stay.
    private static func prose(of page: [UInt8]) -> [UInt8] {
        var isBlock = false
        var lines: [[UInt8]] = []
        for line in page.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let isFence = line.drop { $0 == UInt8(ascii: " ") }.starts(with: "```".utf8)
            if isFence { isBlock.toggle() }
            lines.append(isFence || isBlock ? [] : withoutSpans(line))
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    private static func withoutSpans(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let tick = UInt8(ascii: "`")
        guard line.contains(tick) else { return Array(line) }
        var isSpan = false
        return line.map { byte in
            if byte == tick { isSpan.toggle() }
            return isSpan ? tick : byte
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}

extension StringProtocol {
    fileprivate func components(after mark: String) -> SubSequence {
        firstRange(of: mark).map { self[$0.upperBound...] } ?? self[endIndex...]
    }

    fileprivate func components(before mark: String) -> SubSequence {
        firstRange(of: mark).map { self[..<$0.lowerBound] } ?? self[...]
    }
}
