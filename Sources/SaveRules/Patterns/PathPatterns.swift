public import Vocabulary

/// Which paths of a set are meant, in the words of `.gitignore`: one pattern a line, of which the last that fits decides.
///
/// - An empty line, or one that begins with `#`, says nothing. Spaces at its end don't count, unless `\` is before them.
/// - `!` at the beginning takes back what a line above has said. The content of a folder that is meant can't be taken back.
/// - `/` at the end means folders only.
/// - A `/` at the beginning or in the middle ties the pattern to the set's root; without one it fits at any depth.
/// - `*`, `?`, `[a-z]`, `[!a-z]` and `\` stand for parts of a name, never for a `/`. `**` between slashes, at the beginning or
///   at the end stands for any number of folders.
///
/// Capitals count. Unlike Git, a set has one list, not one in each folder.
public struct PathPatterns: Hashable, Sendable {
    /// How many lines there may be.
    public static let maximumCount = 256
    /// How many bytes a line may have.
    public static let maximumByteCount = 1_024

    /// The fault of a line.
    public enum Defect: Error, Hashable, Sendable {
        /// It ends with a backslash.
        case unfinishedEscape
        /// A bracket is not closed.
        case unfinishedBracket
        /// A range ends before it begins.
        case emptyRange
        /// Nothing is left of it.
        case nothing
        /// It has more than 1,024 bytes, more than 127 names, or a name of more than 127 characters with a `*`, `?` or `[`.
        case tooLong
        /// It has a control character.
        case controlCharacter
        /// There are more than 256 lines.
        case tooMany
    }

    /// The lines as they were given.
    public let lines: [String]
    private let patterns: [PathPattern]

    /// No path is meant.
    public static let none = PathPatterns()

    private init() {
        (lines, patterns) = ([], [])
    }

    /// - Parameter lines: as they stand in a file
    public init(_ lines: [String]) throws(PatternError) {
        var patterns: [PathPattern] = []
        for (place, line) in lines.enumerated() {
            do throws(Defect) {
                guard place < Self.maximumCount else { throw .tooMany }
                if let pattern = try PathPattern(line) { patterns.append(pattern) }
            } catch {
                throw PatternError(error, line: place + 1, line)
            }
        }
        (self.lines, self.patterns) = (lines, patterns)
    }

    /// True if a path is meant, or is in a folder that is.
    public func contains(_ path: SavePath, isFolder: Bool) -> Bool {
        walk(path, isFolder: isFolder).contains(true)
    }

    /// True if a path itself is meant. It is enough for a caller that walks the folders from the root and doesn't enter those that
    /// are meant.
    public func containsItself(_ path: SavePath, isFolder: Bool) -> Bool {
        walk(path, isFolder: isFolder).last ?? false
    }

    /// For each folder on the way and for the path itself, whether it is meant.
    private func walk(_ path: SavePath, isFolder: Bool) -> [Bool] {
        guard !patterns.isEmpty else { return [] }
        var places = patterns.map { _ in PathPattern.beginning }
        // By scalars: a slash and a lone accent after it are one character to Swift, and still two names.
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

/// Why a line is no pattern.
public struct PatternError: ExplainedError, Hashable {
    /// Its fault.
    public let defect: PathPatterns.Defect
    /// Which line, counted from 1.
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

    /// Which line, and what is wrong.
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

    /// How to write one.
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
