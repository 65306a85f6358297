import Vocabulary

extension PartingReason: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) { self = try reader.reason(or: .left) }

    /// - Precondition: the reason is not that the peer is blocked, which silence alone tells
    func write(to bytes: inout [UInt8]) {
        precondition(self != .blocked, "a blocked peer is never told so")
        bytes.append(rawValue)
    }
}
