/// The name of a service on the network, such as `Deck` (RFC 6763 section 4.1.1). It is a label, not a proof of
/// identity.
///
/// Two names are equal if DNS treats them as equal: by their bytes, with the letters A–Z compared without case. Swift's
/// `String` also treats `é` and `e` with an accent as equal; the network does not.
public struct InstanceName: Sendable, CustomStringConvertible {
    /// Maximum length of a DNS label in bytes.
    public static let maximumByteCount = 63

    /// The original name. It has no control characters, but may still mislead a reader.
    public let text: String

    /// The printable name.
    public var description: String { PrintableText(name: text).description }

    /// - Parameter text: 1 to 63 bytes of UTF-8 without control characters
    public init(_ text: String) throws(InvalidName) {
        let count = text.utf8.count
        guard count > 0 else {
            throw Self.refusal(text, ErrorCode(.invalid, "name.empty"), "it is empty")
        }
        guard count <= Self.maximumByteCount else {
            throw Self.refusal(
                text,
                ErrorCode(.invalid, "name.too-long"),
                "it has \(count) bytes and \(Self.maximumByteCount) are allowed "
                    + "(an accented letter or an emoji takes several)"
            )
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Self.refusal(text, ErrorCode(.invalid, "name.control-character"), "it has a control character")
        }
        self.text = text
    }

    /// The next name to try if this one is taken: “Deck”, then “Deck #2”, then “Deck #3”, as in Avahi.
    ///
    /// A name that becomes too long loses characters at its end.
    public var alternative: InstanceName {
        let (stem, number) = numbered
        let suffix = " #\(number + 1)"
        var shortened = stem
        while shortened.utf8.count + suffix.utf8.count > Self.maximumByteCount { shortened.removeLast() }
        return InstanceName(known: shortened + suffix)
    }

    private var numbered: (stem: Substring, number: Int) {
        guard let mark = text.lastIndex(of: "#"), mark > text.startIndex,
            let number = Int(text[text.index(after: mark)...]), (2...9998).contains(number)
        else { return (text[...], 1) }
        let stem = text[..<text.index(before: mark)]
        return text[text.index(before: mark)] == " " && !stem.isEmpty ? (stem, number) : (text[...], 1)
    }

    private init(known text: String) {
        self.text = text
    }

    private static func refusal(_ offered: String, _ code: ErrorCode, _ rule: String) -> InvalidName {
        InvalidName(
            code,
            offered,
            isNot: "a name to show to others",
            because: rule,
            nextStep: "choose a short name that can be printed, such as “Deck” or “Living room”"
        )
    }

    private var foldedBytes: some Sequence<UInt8> {
        text.utf8.lazy.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension InstanceName: Hashable, Comparable {
    /// Compares as DNS does.
    public static func == (left: InstanceName, right: InstanceName) -> Bool {
        left.foldedBytes.elementsEqual(right.foldedBytes)
    }

    /// Compares the bytes as DNS does, so that equal names are adjacent.
    public static func < (left: InstanceName, right: InstanceName) -> Bool {
        left.foldedBytes.lexicographicallyPrecedes(right.foldedBytes)
    }

    /// Hashes the bytes that DNS compares.
    public func hash(into hasher: inout Hasher) {
        for byte in foldedBytes { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
