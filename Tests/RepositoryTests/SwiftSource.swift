import Workbench

/// A Swift file taken apart as far as the rules of the repository need: code without comments and texts, comments
/// alone, and the words of the code.
///
/// What it does not know is a regular expression between bare slashes; write those as `#/…/#`.
struct SwiftSource {
    /// Relative to the root of the repository.
    let path: String

    /// Each line of the file with everything blank that is no code: comments and the contents of texts.
    let codeLines: [String]

    /// Each line with everything blank that is no comment.
    let commentLines: [String]

    /// The words and signs of the code, in order.
    let tokens: [Token]

    init(path: String, text: String) {
        var splitter = SourceSplitter(text)
        splitter.split()
        self.path = path
        codeLines = Self.lines(splitter.code)
        commentLines = Self.lines(splitter.comments)
        tokens = codeLines.enumerated().flatMap { Token.all(in: $0.element, line: $0.offset + 1) }
    }

    /// The Swift files of the repository below some folders.
    static func all(below folders: String...) throws -> [SwiftSource] {
        try repository.get().filter { source in folders.contains { source.path.hasPrefix("\($0)/") } }
    }

    /// Read once for all tests.
    private static let repository = Result {
        try Repository.files(withSuffix: ".swift").map { path in
            SwiftSource(path: path, text: try Repository.text(of: path))
        }
    }

    /// `InstanceName` for `Sources/Vocabulary/Names/InstanceName.swift`.
    var name: String {
        String((path.split(separator: "/").last ?? "").dropLast(".swift".count))
    }

    /// How many lines have code on them, within some lines or in the whole file.
    func codeLineCount(in lines: ClosedRange<Int>? = nil) -> Int {
        let range = lines ?? 1...max(1, codeLines.count)
        return range.count { !isBlank(codeLines[$0 - 1]) }
    }

    /// The comments on a line and in the block of comments and attributes right above it.
    func comments(at line: Int) -> String {
        var text = commentLines[line - 1]
        var above = line - 1
        while above > 0 {
            let isComment = isBlank(codeLines[above - 1]) && !isBlank(commentLines[above - 1])
            guard isComment || codeLines[above - 1].drop(while: { $0 == " " }).hasPrefix("@") else { break }
            text = commentLines[above - 1] + " " + text
            above -= 1
        }
        return text
    }

    private func isBlank(_ line: String) -> Bool {
        line.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

/// A word or a sign of Swift code.
struct Token: Equatable {
    let text: String
    let line: Int
    /// True if no blank is between this token and the one before.
    let isAttached: Bool

    var isWord: Bool { text.first.map { $0.isLetter || $0 == "_" || $0 == "`" || $0.isNumber } ?? false }

    static func all(in line: String, line number: Int) -> [Token] {
        var tokens: [Token] = []
        var rest = Array(line.utf8)[...]
        var isAttached = false
        while let first = rest.first {
            let word = rest.prefix(while: isWordByte)
            let bytes = word.isEmpty ? rest.prefix(1) : word
            if first != UInt8(ascii: " ") {
                tokens.append(Token(text: String(decoding: bytes, as: UTF8.self), line: number, isAttached: isAttached))
            }
            isAttached = first != UInt8(ascii: " ")
            rest = rest.dropFirst(bytes.count)
        }
        return tokens
    }

    /// Letters beyond ASCII stand in names too; no sign of the language is beyond it.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...: true
        default: false
        }
    }
}

/// Something that a rule of the repository forbids.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let text: String

    var description: String { "\(path):\(line): \(text)" }
}
