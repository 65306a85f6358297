import Vocabulary

/// The key of an entry in a TXT record, after RFC 6763 section 6.4: printable ASCII without `=`, at least one character,
/// compared without regard to case.
public struct TXTKey: Sendable, CustomStringConvertible {
    /// The key as it was written.
    public let text: String

    /// The key itself: it holds nothing that a terminal would act on.
    public var description: String { text }

    /// Under which a peer advertises its id: a claim, to be proven with the key.
    public static let peerID = TXTKey(known: "id")

    /// - Parameter text: what stands before the `=`; RFC 6763 advises at most nine characters, and allows more
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

    /// A key that the source itself names.
    init(known text: StaticString) {
        precondition(Self.isValid(text.description.utf8), "\(text) breaks the rules for keys")
        self.text = text.description
    }

    /// Reads a key from the network; nil where it breaks the rules.
    init?(bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty, Self.isValid(bytes) else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    private static func isValid(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }
}

extension TXTKey: Hashable {
    /// Equal without regard to case.
    public static func == (left: TXTKey, right: TXTKey) -> Bool {
        left.text.lowercased() == right.text.lowercased()
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text.lowercased())
    }
}
