/// Foundation's own readers die, hang or read past the heap on bytes that a stranger can send:
/// `docs/internals/archive-security.md` has the cases. The repository has decoders of its own, so that no code needs to
/// call these.
enum DecoderRule {
    private static let forbidden: Set = [
        "NSKeyedUnarchiver", "NSUnarchiver", "PropertyListSerialization", "PropertyListDecoder", "JSONSerialization",
        "JSONDecoder", "XMLDocument", "XMLParser", "XMLDTD", "NSClassFromString", "UserDefaults",
    ]
    /// These read property lists from files.
    private static let collections: Set = ["NSDictionary", "NSMutableDictionary", "NSArray", "NSMutableArray"]
    private static let reading: Set = ["contentsOf", "contentsOfFile"]

    static func findings(in source: SwiftSource) -> [Finding] {
        source.tokens.indices.compactMap { index in
            let words = source.tokens[index...].prefix(3).map(\.text)
            let readsFile =
                words.count == 3 && collections.contains(words[0]) && words[1] == "(" && reading.contains(words[2])
            guard forbidden.contains(words[0]) || readsFile else { return nil }
            let page = "docs/internals/archive-security.md"
            let text = "\(words[0]) is never given bytes: SecureArchive reads them; see \(page)"
            return Finding(path: source.path, line: source.tokens[index].line, text: text)
        }
    }
}
