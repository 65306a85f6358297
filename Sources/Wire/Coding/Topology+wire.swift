internal import Vocabulary

extension Topology: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        guard let known = Topology(rawValue: try reader.integer()) else { throw .badValue("topology") }
        self = known
    }

    func write(to bytes: inout [UInt8]) { bytes.append(rawValue) }
}
