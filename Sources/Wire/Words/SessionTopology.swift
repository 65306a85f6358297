/// Who is connected with whom in a session.
public enum SessionTopology: UInt8, CaseIterable, Hashable, Sendable {
    /// Two peers.
    case pair = 1
    /// Everybody with the one that invited.
    case star = 2
    /// Everybody with everybody.
    case mesh = 3
}

extension SessionTopology: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        guard let known = SessionTopology(rawValue: try reader.integer()) else { throw .badValue("topology") }
        self = known
    }

    func write(to bytes: inout [UInt8]) { bytes.append(rawValue) }
}
