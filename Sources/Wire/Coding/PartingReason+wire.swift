import Vocabulary

extension PartingReason: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) { self = try reader.reason(or: .left) }

    /// - Precondition: the reason is one that a peer may hear
    func write(to bytes: inout [UInt8]) {
        precondition(isSaid, "a machine that is blocked or forgotten hears nothing of it")
        bytes.append(rawValue)
    }
}
