/// The name that one service carries on the network, such as `Deck`: what a person sees in the list (RFC 6763 section
/// 4.1.1). It is a label, never proof of who stands behind it.
///
/// Two names are equal when DNS holds them equal: byte by byte, the letters A–Z without regard to case. Swift's `String`
/// would also call `é` and `e` with an accent equal; the network does not.
public struct InstanceName: Sendable, CustomStringConvertible {
    /// How many bytes of UTF-8 DNS allows a label.
    public static let maximumByteCount = 63

    /// The name as it was given. It holds no control character, but it may still mislead a reader's eye.
    public let text: String

    /// The name, fit to print.
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
                "it has \(count) bytes and \(Self.maximumByteCount) are allowed (an accented letter or an emoji takes several)"
            )
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Self.refusal(text, ErrorCode(.invalid, "name.control-character"), "it has a control character")
        }
        self.text = text
    }

    /// The name to try next where this one is taken: “Deck”, then “Deck #2”, then “Deck #3”, as Avahi does it.
    ///
    /// A name that would grow too long loses characters at its end.
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
    /// Equal as DNS sees it.
    public static func == (left: InstanceName, right: InstanceName) -> Bool {
        left.foldedBytes.elementsEqual(right.foldedBytes)
    }

    /// The order of the bytes DNS compares, so that equal names sort together.
    public static func < (left: InstanceName, right: InstanceName) -> Bool {
        left.foldedBytes.lexicographicallyPrecedes(right.foldedBytes)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        for byte in foldedBytes { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
