import Vocabulary

/// A text that explains something to the user of the other machine. A text from a peer is untrusted.
public struct Remark: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text as received, at most 1,024 bytes of UTF-8. It may hold control characters: print `description`.
    public let text: String

    /// The text, safe to print.
    public var description: String { PrintableText(text, limit: WireLimits.remark).description }

    /// - Parameter text: the explanation; beyond 1,024 bytes of UTF-8 it is cut between two code points
    public init(_ text: String) {
        guard text.utf8.count > WireLimits.remark else {
            self.text = text
            return
        }
        var kept = Array(text.utf8.prefix(WireLimits.remark + 1))
        while let last = kept.popLast(), last & 0xC0 == 0x80 {}
        self.text = String(decoding: kept, as: UTF8.self)
    }

    /// Makes a remark of a literal in the source.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Compares the bytes, so that two spellings of one character in Unicode differ.
    public static func == (left: Remark, right: Remark) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Hashes the bytes that `==` compares.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}

extension Remark: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        text = try reader.text("message", limit: WireLimits.remark)
    }

    func write(to bytes: inout [UInt8]) { bytes.append(text: text) }
}
