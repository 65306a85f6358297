/// The name of one thing in a folder. It can't lead anywhere else: it has no separator, no control character, and is
/// neither `.` nor `..`.
///
/// Names are equal when their bytes are. Swift's `String` would also call `é` and `e` with an accent equal; the file
/// system holds both side by side.
public struct FileName: Sendable, CustomStringConvertible {
    /// How many bytes the kernel allows a name.
    public static let maximumByteCount = 255

    /// The name as it was given. It may still mislead a reader's eye.
    public let text: String

    /// The name as it was given.
    public var description: String { text }

    /// The name as the kernel holds it.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// - Parameter text: 1 to 255 bytes of UTF-8 that obey every rule of ``Refusal``
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

    /// Whether it is so plainly a name that no character need be looked up: most are.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "/") }
    }

    /// A name as a folder's listing has it.
    public init(bytes: some Sequence<UInt8>) throws(Refusal) {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else { throw .notUTF8 }
        try self.init(text)
    }

    /// Why something is not the name of a file.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is nothing.
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

        /// What is wrong with the name.
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
    /// Equal byte by byte.
    public static func == (left: FileName, right: FileName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// The order of the bytes.
    public static func < (left: FileName, right: FileName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
