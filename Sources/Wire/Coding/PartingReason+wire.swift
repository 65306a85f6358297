import Vocabulary

extension PartingReason: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) { self = try reader.reason(or: .left) }

    /// - Precondition: the reason is one that peers may learn
    func write(to bytes: inout [UInt8]) {
        precondition(isSaid, "a blocked or forgotten machine does not learn of it")
        bytes.append(rawValue)
    }
}
