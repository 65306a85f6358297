/// A save that is one large file, changed in place. Its end shows if the rest belongs to the same save.
struct SealedFile {
    static let file = "sealed"
    static let size = 3 << 20
    private static let sealSize = 24

    private(set) var contents: [UInt8]
    /// The text at the end.
    private(set) var seal: [UInt8]

    init(_ contents: [UInt8]) {
        self.contents = contents
        seal = Self.seal(of: contents)
    }

    /// The save in a file; nil if the size is wrong.
    init?(parsing bytes: [UInt8]) {
        guard bytes.count == Self.size + Self.sealSize else { return nil }
        (contents, seal) = (Array(bytes.prefix(Self.size)), Array(bytes.suffix(Self.sealSize)))
    }

    mutating func change(_ bytes: [UInt8], at offset: Int) {
        contents.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        seal = Self.seal(of: contents)
    }

    var isWhole: Bool { seal == Self.seal(of: contents) }

    var bytes: [UInt8] { contents + seal }

    private static func seal(of contents: [UInt8]) -> [UInt8] { Array(GameTree.digest(contents).utf8) }
}
