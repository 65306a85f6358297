public import Vocabulary

/// The place of a file within a save set: one to 64 names, the outermost first. It can't lead out of the set.
///
/// Paths are equal when their bytes are. Their order is that of the tree: a folder, then at once what is in it, names
/// by their bytes. So `a/z` comes before `a-b`.
public struct SavePath: Sendable {
    /// The most names that it may have. For the code that walks a path, each level is an open descriptor.
    public static let maximumDepth = 64
    /// How many bytes it may have, slashes included, as for the kernel.
    public static let maximumByteCount = 4_096

    /// The names with slashes between them. It may mislead a reader's eye; it holds no control character.
    public let text: String

    /// The path of something right in the set's root.
    public init(_ name: FileName) {
        text = name.text
    }

    /// - Parameter names: the outermost first
    public init(_ names: some Sequence<FileName>) throws(Refusal) {
        try self.init(bytes: Array(names.map(\.bytes).joined(separator: [Self.slash])))
    }

    /// - Parameter text: names with one slash between each two
    public init(_ text: String) throws(Refusal) {
        try self.init(bytes: Array(text.utf8))
    }

    /// - Parameter bytes: names in UTF-8 with one slash between each two
    public init(bytes: some Collection<UInt8>) throws(Refusal) {
        guard !bytes.isEmpty else { throw .name(.empty) }
        guard bytes.count <= Self.maximumByteCount else { throw .tooLong }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .name(.notUTF8) }
        if !Self.isPlain(bytes) { try Self.check(text) }
        self.text = text
    }

    private static func check(_ text: String) throws(Refusal) {
        let names = text.utf8.split(separator: slash, omittingEmptySubsequences: false)
        guard names.count <= maximumDepth else { throw .tooDeep }
        for name in names {
            do throws(FileName.Refusal) { _ = try FileName(String(Substring(name))) } catch { throw .name(error) }
        }
    }

    private init(known text: String) {
        self.text = text
    }

    private static let slash = UInt8(ascii: "/")

    /// True if it is so plainly a path that ``FileName`` need not look at each character: most paths are.
    private static func isPlain(_ bytes: some Collection<UInt8>) -> Bool {
        var (length, depth) = (0, 1)
        for byte in bytes {
            if byte == slash {
                guard length > 0 else { return false }
                (length, depth) = (0, depth + 1)
            } else {
                guard (0x20..<0x7F).contains(byte), length > 0 || byte != UInt8(ascii: ".") else { return false }
                length += 1
                guard length <= FileName.maximumByteCount else { return false }
            }
        }
        return length > 0 && depth <= maximumDepth
    }

    /// How many names it has.
    public var depth: Int { text.utf8.count { $0 == Self.slash } + 1 }

    /// The outermost first.
    public var names: [FileName] {
        text.utf8.split(separator: Self.slash).map { Self.known(Substring($0)) }
    }

    /// The innermost.
    public var name: FileName {
        let start = text.utf8.lastIndex(of: Self.slash).map(text.utf8.index(after:)) ?? text.startIndex
        return Self.known(text[start...])
    }

    /// The folder around it; nil where that is the set's root.
    public var parent: SavePath? {
        text.utf8.lastIndex(of: Self.slash).map { SavePath(known: String(text[..<$0])) }
    }

    /// The path of something right in this folder.
    public func appending(_ name: FileName) throws(Refusal) -> SavePath {
        guard text.utf8.count + 1 + name.text.utf8.count <= Self.maximumByteCount else { throw .tooLong }
        guard depth < Self.maximumDepth else { throw .tooDeep }
        return SavePath(known: "\(text)/\(name.text)")
    }

    /// True if it is inside a folder, however deep.
    public func lies(in folder: SavePath) -> Bool {
        let (own, around) = (text.utf8, folder.text.utf8)
        return own.count > around.count && own.starts(with: around)
            && own[own.index(own.startIndex, offsetBy: around.count)] == Self.slash
    }

    private static func known(_ name: Substring) -> FileName {
        guard let name = try? FileName(String(name)) else { preconditionFailure("a path's names were checked") }
        return name
    }

    /// Why something is no path within a set.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// One of its names is none; an absolute path begins with an empty one.
        case name(FileName.Refusal)
        /// It has more than 4,096 bytes.
        case tooLong
        /// It has more than 64 names.
        case tooDeep

        /// The fault of the path, after “a path”.
        public var description: String {
            switch self {
            case .name(.empty): "has an empty name in it or begins with a slash"
            case .name(.tooLong): "has a name of more than \(FileName.maximumByteCount) bytes in it"
            case .name(.leadsElsewhere): "has “.” or “..” in it"
            case .name(.separator): "has a slash in a name"
            case .name(.controlCharacter): "has a control character in it"
            case .name(.notUTF8): "is not UTF-8"
            case .tooLong: "has more than \(SavePath.maximumByteCount) bytes"
            case .tooDeep: "is deeper than \(SavePath.maximumDepth) folders"
            }
        }
    }
}

extension SavePath: Hashable, Comparable {
    /// Equal byte by byte.
    public static func == (left: SavePath, right: SavePath) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// The order of the tree. No name holds a byte as small as the slash is made here.
    public static func < (left: SavePath, right: SavePath) -> Bool {
        var (ours, theirs) = (left.text.utf8.makeIterator(), right.text.utf8.makeIterator())
        while let their = theirs.next() {
            guard let own = ours.next() else { return true }
            if own != their { return own == slash ? true : their == slash ? false : own < their }
        }
        return false
    }

    /// Texts that are the same bytes have the same hash, which is all that is needed.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension SavePath: CustomStringConvertible {
    /// The path, fit to print.
    public var description: String { PrintableText(text, limit: Self.maximumByteCount).description }
}
