internal import Vocabulary

extension ResourceKind: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        guard let known = ResourceKind(rawValue: try reader.integer()) else { throw .badValue("kind") }
        self = known
    }

    func write(to bytes: inout [UInt8]) { bytes.append(rawValue) }
}
