public import Vocabulary

/// The path of a file within a game's folder: one to 64 names, the outermost first. It can't lead out of the folder.
///
/// Paths are equal if their bytes are. Their order is that of the tree: a folder comes directly before its content, and
/// names are ordered by their bytes. So `a/z` comes before `a-b`.
public struct SavePath: Sendable {
    /// The largest number of names. Code that walks a path has an open descriptor for each level.
    public static let maximumDepth = 64
    /// The largest number of bytes, with the slashes: the kernel's limit.
    public static let maximumByteCount = 4_096

    /// The names with slashes between them. The text has no control characters, but may look misleading.
    public let text: String

    /// Creates the path of an entry directly in the game's folder.
    public init(_ name: FileName) {
        text = name.text
    }

    /// - Parameter names: the names, the outermost first
    public init(_ names: some Sequence<FileName>) throws(Refusal) {
        try self.init(bytes: Array(names.map(\.bytes).joined(separator: [Self.slash])))
    }

    /// - Parameter text: the names, with one slash between each two
    public init(_ text: String) throws(Refusal) {
        try self.init(bytes: Array(text.utf8))
    }

    /// - Parameter bytes: the names in UTF-8, with one slash between each two
    public init(bytes: some Collection<UInt8>) throws(Refusal) {
        guard !bytes.isEmpty else { throw .name(.empty) }
        guard bytes.count <= Self.maximumByteCount else { throw .tooLong }
        if Self.isPlain(bytes) {
            text = String(decoding: bytes, as: UTF8.self)
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .name(.notUTF8) }
        try Self.check(text)
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

    /// True if the bytes are printable ASCII and plainly a path. Most paths are, and then ``FileName`` need not check
    /// each character.
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
    public var depth: Int {
        text.utf8.withContiguousStorageIfAvailable { $0.count { $0 == Self.slash } + 1 }
            ?? text.utf8.count { $0 == Self.slash } + 1
    }

    /// The names, the outermost first.
    public var names: [FileName] {
        text.utf8.split(separator: Self.slash).map { Self.known(Substring($0)) }
    }

    /// The innermost name.
    public var name: FileName {
        let start = text.utf8.lastIndex(of: Self.slash).map(text.utf8.index(after:)) ?? text.startIndex
        return Self.known(text[start...])
    }

    /// The folder around it; nil if that is the game's folder.
    public var parent: SavePath? {
        text.utf8.lastIndex(of: Self.slash).map { SavePath(known: String(text[..<$0])) }
    }

    /// Returns the path of an entry directly in this folder.
    public func appending(_ name: FileName) throws(Refusal) -> SavePath {
        guard text.utf8.count + 1 + name.text.utf8.count <= Self.maximumByteCount else { throw .tooLong }
        guard depth < Self.maximumDepth else { throw .tooDeep }
        return SavePath(known: "\(text)/\(name.text)")
    }

    /// True if it is inside a folder, however deep.
    public func lies(in folder: SavePath) -> Bool {
        Self.compared(self, folder) { own, around in
            own.count > around.count && own[around.count] == Self.slash && own.starts(with: around)
        }
    }

    private static func known(_ name: Substring) -> FileName {
        guard let name = try? FileName(String(name)) else { preconditionFailure("a path's names were checked") }
        return name
    }

    /// The reason why a text is no path within a game's folder.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// One of its names is invalid. An absolute path begins with an empty name.
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
    public static func == (left: SavePath, right: SavePath) -> Bool {
        compared(left, right) { own, other in own.elementsEqual(other) }
    }

    /// Compares by the order of the tree. The slash counts as smaller than every byte of a name.
    public static func < (left: SavePath, right: SavePath) -> Bool {
        compared(left, right) { own, other in
            guard let place = zip(own.indices, other.indices).first(where: { own[$0] != other[$1] })?.0 else {
                return own.count < other.count
            }
            return own[place] == slash || (other[place] != slash && own[place] < other[place])
        }
    }

    /// Compares the bytes of two paths: a scan compares hundreds of thousands, and iterating over a text's own view of
    /// them takes ten times as long.
    private static func compared(
        _ left: SavePath,
        _ right: SavePath,
        by body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        let answer = left.text.utf8.withContiguousStorageIfAvailable { own in
            right.text.utf8.withContiguousStorageIfAvailable { other in body(own, other) }
        }
        guard case .some(.some(let answer)) = answer else {
            return Array(left.text.utf8).withUnsafeBufferPointer { own in
                Array(right.text.utf8).withUnsafeBufferPointer { other in body(own, other) }
            }
        }
        return answer
    }

    /// Hashes the text. Texts with the same bytes have the same hash, and that is enough.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension SavePath: CustomStringConvertible {
    /// The path, fit to print.
    public var description: String { PrintableText(text, limit: Self.maximumByteCount).description }
}
