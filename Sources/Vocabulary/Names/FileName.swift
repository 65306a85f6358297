/// The name of an entry in a folder. It can't lead to another folder: it has no separator and no control character, and
/// is neither `.` nor `..`.
///
/// Names are equal if their bytes are equal. Swift's `String` also treats `é` and `e` with an accent as equal; the file
/// system has both as different names.
public struct FileName: Sendable, CustomStringConvertible {
    /// Maximum length of a name in bytes, as the kernel defines it.
    public static let maximumByteCount = 255

    /// The original name. It may still mislead a reader.
    public let text: String

    /// The original name.
    public var description: String { text }

    /// The bytes of the name in the file system.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// - Parameter text: 1 to 255 bytes of UTF-8 that follow every rule of ``Refusal``
    public init(_ text: String) throws(Refusal) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.maximumByteCount else { throw .tooLong }
        guard text != ".", text != ".." else { throw .leadsElsewhere }
        if Self.isPlain(text) {
            self.text = text
            return
        }
        for scalar in text.unicodeScalars {
            if scalar == "/" { throw .separator }
            if scalar.properties.generalCategory == .control { throw .controlCharacter }
        }
        self.text = text
    }

    /// True for a name of simple ASCII characters, which need no Unicode lookup: most names are.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "/") }
    }

    /// A name from a folder listing.
    public init(bytes: some Sequence<UInt8>) throws(Refusal) {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else { throw .notUTF8 }
        try self.init(text)
    }

    /// Reason why a text is no file name.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        case empty
        /// It has more than 255 bytes.
        case tooLong
        /// It is `.` or `..`.
        case leadsElsewhere
        /// It has a slash.
        case separator
        /// It has a character that moves the cursor, ends a line or ends a text for C.
        case controlCharacter
        /// Its bytes are not UTF-8.
        case notUTF8

        /// The broken rule.
        public var description: String {
            switch self {
            case .empty: "it is empty"
            case .tooLong: "it has more than \(FileName.maximumByteCount) bytes"
            case .leadsElsewhere: "it is “.” or “..”"
            case .separator: "it has a slash in it"
            case .controlCharacter: "it has a control character in it"
            case .notUTF8: "it is not UTF-8"
            }
        }
    }
}

extension FileName: Hashable, Comparable {
    /// Compares the bytes.
    public static func == (left: FileName, right: FileName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// The order of the bytes.
    public static func < (left: FileName, right: FileName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
