import Vocabulary

/// A text that explains something to the person on the other side. It is untrusted where it comes from a peer.
public struct Remark: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text as it was given. It may hold anything.
    public let text: String

    /// The text, fit to print.
    public var description: String { PrintableText(text, limit: WireLimits.remark).description }

    /// - Parameter text: what is to be said; what goes beyond 1,024 bytes of UTF-8 is cut off between two code points
    public init(_ text: String) {
        guard text.utf8.count > WireLimits.remark else {
            self.text = text
            return
        }
        var kept = Array(text.utf8.prefix(WireLimits.remark + 1))
        while let last = kept.popLast(), last & 0xC0 == 0x80 {}
        self.text = String(decoding: kept, as: UTF8.self)
    }

    /// A text that stands in the source.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Equal byte by byte.
    public static func == (left: Remark, right: Remark) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Hashes what `==` compares.
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
