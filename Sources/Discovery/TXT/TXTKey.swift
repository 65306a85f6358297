import Vocabulary

/// The key of an entry in a TXT record (RFC 6763 section 6.4): printable ASCII without `=`, at least one character,
/// compared without case.
public struct TXTKey: Sendable, CustomStringConvertible {
    /// The key with its original case.
    public let text: String

    /// The key; it has only printable characters.
    public var description: String { text }

    /// Key of the peer ID. It is a claim until the peer proves it with its key.
    public static let peerID = TXTKey(known: "id")

    /// - Parameter text: the part before `=`; RFC 6763 recommends at most nine characters
    public init(_ text: String) throws(InvalidTXT) {
        guard !text.isEmpty else {
            throw InvalidTXT(
                ErrorCode(.invalid, "txt.empty-key"),
                "a TXT entry has no key",
                nextStep: "write it as key=value"
            )
        }
        guard Self.isValid(text.utf8) else {
            throw InvalidTXT(
                ErrorCode(.invalid, "txt.forbidden-character"),
                "“\(PrintableText(text, limit: 40))” can't be the key of a TXT entry",
                nextStep: "use printable ASCII characters other than “=”"
            )
        }
        self.text = text
    }

    /// A key that is constant in the source.
    init(known text: StaticString) {
        precondition(Self.isValid(text.description.utf8), "\(text) breaks the rules for keys")
        self.text = text.description
    }

    /// Reads a key from the network; nil if it breaks the rules.
    init?(bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty, Self.isValid(bytes) else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    private static func isValid(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }
}

extension TXTKey: Hashable {
    /// Compares the keys without case.
    public static func == (left: TXTKey, right: TXTKey) -> Bool {
        left.text.lowercased() == right.text.lowercased()
    }

    /// Hashes the lower-case key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text.lowercased())
    }
}
