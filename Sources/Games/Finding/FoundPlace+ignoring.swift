extension FoundPlace {
    /// Patterns in the words of `.gitignore` that leave out everything in the folder but the saves: none if all of it
    /// is saves, nil if patterns can't say it.
    ///
    /// A file within an ignored folder can't be taken back, so each folder on the way to a pattern is taken back by
    /// itself.
    package var ignoring: [String]? {
        guard !patterns.isEmpty else { return [] }
        var folders: [[Substring]] = []
        for pattern in patterns {
            let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
            guard !parts.contains(where: { $0.isEmpty || $0 == "**" }) else { return nil }
            for depth in 1..<max(parts.count, 1) where !folders.contains(Array(parts.prefix(depth))) {
                folders.append(Array(parts.prefix(depth)))
            }
        }
        let onTheWay = folders.sorted { $0.count < $1.count }.flatMap { parts in
            ["!/\(written(parts))/", "/\(written(parts))/*"]
        }
        // A pattern may fit a folder, whose files count, too. They may be within a folder on the way to another
        // pattern.
        let lines = patterns.map { written($0.split(separator: "/")) }.flatMap { ["!/\($0)", "!/\($0)/**"] }
        let all = ["/*"] + onTheWay + lines
        return all.count <= Self.mostLines ? all : nil
    }

    /// As many as a game may have.
    private static let mostLines = 256

    /// Below a prefix of Wine the case of names does not count, and in patterns it does.
    private func written(_ parts: [Substring]) -> String {
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
