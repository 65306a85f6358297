/// A file is named after its main type, or `Type+topic` after the type it extends, and no name says nothing.
enum NameRule {
    static let emptyWords = ["Utils", "Utilities", "Helper", "Helpers", "Common", "Manager", "Misc"]

    private static let typeKinds: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    static func findings(in source: SwiftSource) -> [Finding] {
        let types = declared(typeKinds, in: source).map { (name: $0.name, line: $0.line) }
        let names = types + [(name: source.name, line: 1)]
        let empty = names.compactMap { named in
            word(in: named.name).map { word in
                Finding(
                    path: source.path,
                    line: named.line,
                    text: "\(named.name): “\(word)” says nothing; name what it is"
                )
            }
        }
        return empty + fileNameFinding(source)
    }

    private static func fileNameFinding(_ source: SwiftSource) -> [Finding] {
        let parts = source.name.split(separator: "+", maxSplits: 1).map(String.init)
        let types = declared(typeKinds, in: source).filter(\.isOutermost).map(\.name)
        let extended = declared(["extension"], in: source).map(\.name)
        // A file of free functions or a manifest has no type to be named after, and a file of tests may hold several
        // suites about one matter.
        guard let main = parts.first, !(types + extended).isEmpty else { return [] }
        if source.path.hasPrefix("Tests/"), main.hasSuffix("Tests") { return [] }
        let isRight = parts.count == 1 ? (types + extended).contains(main) : extended.contains(main)
        if isRight { return [] }
        let rule = parts.count == 1 ? "declares no \(main)" : "does not extend \(main)"
        return [
            Finding(path: source.path, line: 1, text: "the file \(rule): name it after its main type or Type+topic")
        ]
    }

    /// The names after some keywords; of `extension Outer.Inner`, the first.
    private static func declared(
        _ kinds: Set<String>,
        in source: SwiftSource
    ) -> [(name: String, line: Int, isOutermost: Bool)] {
        var depth = 0
        return zip(source.tokens, source.tokens.dropFirst()).enumerated().compactMap { index, pair in
            let (keyword, name) = pair
            depth += keyword.text == "{" ? 1 : keyword.text == "}" ? -1 : 0
            guard kinds.contains(keyword.text), name.isWord || name.text == "[" else { return nil }
            // `import struct X`, `.class` and `class func` declare nothing.
            if index > 0, [".", "import"].contains(source.tokens[index - 1].text) { return nil }
            if ["func", "var", "let", "subscript"].contains(name.text) { return nil }
            // `extension [Element]` extends Array.
            return (name.text == "[" ? "Array" : name.text, keyword.line, depth == 0)
        }
    }

    /// The empty word that a name is made with, as a whole word of it.
    private static func word(in name: String) -> String? {
        var words = [""]
        for letter in name {
            if letter.isUppercase { words.append("") }
            if letter.isLetter { words[words.count - 1].append(letter) } else { words.append("") }
        }
        return emptyWords.first { empty in words.contains { $0.lowercased() == empty.lowercased() } }
    }
}
