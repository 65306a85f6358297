public import Vocabulary

/// A set of paths in the language of `.gitignore`: one pattern a line. The last pattern that matches decides.
///
/// - Empty lines and lines that begin with `#` are ignored, and so are spaces at the end, unless `\` is before them.
/// - `!` at the beginning excludes what an earlier line included. Files in an included folder can't be excluded.
/// - `/` at the end matches folders only.
/// - A `/` at the beginning or in the middle ties the pattern to the root of the game's folder. Without one it matches
///   at any depth.
/// - `*`, `?`, `[a-z]`, `[!a-z]` and `\` match parts of a name, never a `/`. `**` between slashes, at the beginning or
///   at the end matches any number of folders.
///
/// Upper and lower case differ. Unlike in Git, a game has one list, not one in each folder.
public struct PathPatterns: Hashable, Sendable {
    /// The largest number of lines.
    public static let maximumCount = 256
    /// The largest size of a line in bytes.
    public static let maximumByteCount = 1_024

    /// The fault of a line.
    public enum Defect: Error, Hashable, Sendable {
        /// It ends with a backslash.
        case unfinishedEscape
        /// A bracket is not closed.
        case unfinishedBracket
        /// A range ends before it begins.
        case emptyRange
        /// It is empty, or has an empty part.
        case nothing
        /// It has more than 1,024 bytes, more than 127 names, or a name with a `*`, `?` or `[` and more than 127
        /// characters.
        case tooLong
        /// It has a control character.
        case controlCharacter
        /// There are more than 256 lines.
        case tooMany
    }

    /// The lines as given.
    public let lines: [String]
    private let patterns: [PathPattern]

    /// The empty set of paths.
    public static let none = PathPatterns()

    private init() {
        (lines, patterns) = ([], [])
    }

    /// - Parameter lines: the lines as in a file
    public init(_ lines: [String]) throws(PatternError) {
        var patterns: [PathPattern] = []
        try Self.parse(lines) { if let pattern = $0 { patterns.append(pattern) } }
        (self.lines, self.patterns) = (lines, patterns)
    }

    /// Throws the fault of the first line that is no pattern. In memory there is one pattern at a time.
    static func check(_ lines: [String]) throws(PatternError) { try parse(lines) { _ in } }

    private static func parse(_ lines: [String], _ take: (PathPattern?) -> Void) throws(PatternError) {
        for (place, line) in lines.enumerated() {
            do throws(Defect) {
                guard place < Self.maximumCount else { throw .tooMany }
                take(try PathPattern(line))
            } catch {
                throw PatternError(error, line: place + 1, line)
            }
        }
    }

    /// True if a path matches, or is in a folder that does.
    public func contains(_ path: SavePath, isFolder: Bool) -> Bool {
        walk(path, isFolder: isFolder).contains(true)
    }

    /// True if a path itself matches. This is enough for a caller that walks the folders from the root and does not
    /// enter matching ones.
    public func containsItself(_ path: SavePath, isFolder: Bool) -> Bool {
        walk(path, isFolder: isFolder).last ?? false
    }

    /// Returns for each folder on the way, and for the path itself, if it matches.
    private func walk(_ path: SavePath, isFolder: Bool) -> [Bool] {
        guard !patterns.isEmpty else { return [] }
        var places = patterns.map { _ in PathPattern.beginning }
        // Swift takes a slash and a combining accent after it for one character. So the path is split by scalars.
        let names = path.text.unicodeScalars.split(separator: "/").map { Substring($0) }
        return names.enumerated().map { depth, name in
            let isFolder = isFolder || depth + 1 < names.count
            var isMeant = false
            for (number, pattern) in patterns.enumerated() where places[number] != 0 {
                places[number] = pattern.places(after: places[number], name)
                guard isFolder || !pattern.isForFolders, pattern.isFit(places[number]) else { continue }
                isMeant = !pattern.isTakingBack
            }
            return isMeant
        }
    }
}

/// The reason why a line is no pattern.
public struct PatternError: ExplainedError, Hashable {
    /// Its fault.
    public let defect: PathPatterns.Defect
    /// The number of the line, from 1.
    public let line: Int
    private let text: String

    init(_ defect: PathPatterns.Defect, line: Int, _ text: String) {
        (self.defect, self.line, self.text) = (defect, line, text)
    }

    /// The defect as a stable word.
    public var code: ErrorCode {
        switch defect {
        case .unfinishedEscape: ErrorCode(.invalid, "pattern.unfinished-escape")
        case .unfinishedBracket: ErrorCode(.invalid, "pattern.unfinished-bracket")
        case .emptyRange: ErrorCode(.invalid, "pattern.empty-range")
        case .nothing: ErrorCode(.invalid, "pattern.nothing")
        case .tooLong: ErrorCode(.invalid, "pattern.too-long")
        case .controlCharacter: ErrorCode(.invalid, "pattern.control-character")
        case .tooMany: ErrorCode(.invalid, "pattern.too-many")
        }
    }

    /// The line and its fault.
    public var message: String {
        let shown = PrintableText(text, limit: 80)
        return switch defect {
        case .unfinishedEscape: "line \(line), “\(shown)”, ends with a backslash that takes the meaning from nothing"
        case .unfinishedBracket: "line \(line), “\(shown)”, has a “[” without its “]”"
        case .emptyRange: "line \(line), “\(shown)”, has a range that ends before it begins"
        case .nothing: "line \(line), “\(shown)”, means nothing"
        case .tooLong: "line \(line), “\(shown)”, is longer than a pattern may be"
        case .controlCharacter: "line \(line), “\(shown)”, has a control character"
        case .tooMany: "there are more than \(PathPatterns.maximumCount) lines"
        }
    }

    /// The way to write a pattern.
    public var nextStep: String {
        switch defect {
        case .tooMany: "say the same with fewer patterns, such as “*.log” for many names"
        case .nothing: "write it like “*.log”, “cache/” or “/settings.ini”; a “#” at its beginning as “\\#”"
        case .tooLong, .controlCharacter: "write it like “*.log”, “cache/” or “/settings.ini”"
        case .unfinishedEscape, .unfinishedBracket, .emptyRange:
            "put a backslash before a character that is meant literally"
        }
    }
}
