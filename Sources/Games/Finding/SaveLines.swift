extension FoundPlace {
    /// Patterns in the words of `.gitignore` that leave out everything in the folder but the saves: none if all of it
    /// is saves, nil if patterns can't say it.
    package var ignoring: [String]? { SaveLines(patterns, kind)?.all }
}

/// Patterns in the words of `.gitignore` that leave out everything in a folder but the saves.
///
/// A file within an ignored folder can't be taken back, so each folder on the way to a pattern is taken back by itself.
struct SaveLines: Sendable, Hashable {
    /// The patterns that leave out everything but the saves; empty if all of it is saves.
    let all: [String]
    /// The patterns that leave out everything but the saves within the files and folders that the patterns begin with.
    let inner: [String]

    /// As many as a game may have.
    private static let most = 256

    /// - Parameter patterns: the patterns of the saves, relative to the folder; empty if all of it is saves
    /// - Returns: nil if patterns can't say it
    init?(_ patterns: [String], _ kind: PlaceKind) {
        guard !patterns.isEmpty else {
            (all, inner) = ([], [])
            return
        }
        var folders: [[Substring]] = []
        for pattern in patterns {
            let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
            guard !parts.contains(where: { $0.isEmpty || $0 == "**" }) else { return nil }
            for depth in 1..<max(parts.count, 1) where !folders.contains(Array(parts.prefix(depth))) {
                folders.append(Array(parts.prefix(depth)))
            }
        }
        var lines = [(text: "/*", depth: 1)]
        for parts in folders.sorted(by: { $0.count < $1.count }) {
            let text = Self.written(parts, kind)
            lines += [("!/\(text)/", parts.count), ("/\(text)/*", parts.count + 1)]
        }
        // A pattern may fit a folder, whose files count, too. They may be within a folder on the way to another
        // pattern.
        for pattern in patterns {
            let parts = pattern.split(separator: "/")
            let text = Self.written(parts, kind)
            lines += [("!/\(text)", parts.count), ("!/\(text)/**", parts.count)]
        }
        guard lines.count <= Self.most else { return nil }
        (all, inner) = (lines.map(\.text), lines.filter { $0.depth > 1 }.map(\.text))
    }

    /// Below a prefix of Wine the case of names does not count, and in patterns it does.
    private static func written(_ parts: [Substring], _ kind: PlaceKind) -> String {
        parts.map { part in
            var isInBrackets = false
            return part.reduce(into: "") { text, letter in
                if letter == "[" { isInBrackets = true }
                defer { if letter == "]" { isInBrackets = false } }
                let (small, large) = (letter.lowercased(), letter.uppercased())
                let hasCase = kind == .windows && !isInBrackets && small != large && letter.isASCII
                if letter == "\\" || letter == " " { text += "\\" }
                text += hasCase ? "[\(large)\(small)]" : String(letter)
            }
        }.joined(separator: "/")
    }
}
