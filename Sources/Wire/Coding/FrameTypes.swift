/// The frame types of a channel, as a set with a fast lookup.
struct FrameTypes: Hashable, Sendable {
    private var bits: (low: UInt64, high: UInt64) = (0, 0)

    /// - Parameter isKnown: called once for each type below 0x80; types from 0x80 on are always unknown
    init(_ isKnown: (UInt8) -> Bool) {
        for type in 0..<UInt8(64) where isKnown(type) { bits.low |= 1 << type }
        for type in 64..<UInt8(128) where isKnown(type) { bits.high |= 1 << (type - 64) }
    }

    func contains(_ type: UInt8) -> Bool {
        switch type {
        case ..<64: bits.low >> type & 1 == 1
        case ..<128: bits.high >> (type - 64) & 1 == 1
        default: false
        }
    }

    /// True if a peer that does not know this type may skip the frame.
    static func maySkip(_ type: UInt8) -> Bool { type >= 0x80 }

    static func == (left: FrameTypes, right: FrameTypes) -> Bool { left.bits == right.bits }

    func hash(into hasher: inout Hasher) {
        hasher.combine(bits.low)
        hasher.combine(bits.high)
    }
}
