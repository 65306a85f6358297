/// What a resource is.
public enum ResourceKind: UInt8, CaseIterable, Hashable, Sendable {
    /// One file.
    case file = 1
    /// A folder with all that is in it.
    case folder = 2
}

extension ResourceKind: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        guard let known = ResourceKind(rawValue: try reader.integer()) else { throw .badValue("kind") }
        self = known
    }

    func write(to bytes: inout [UInt8]) { bytes.append(rawValue) }
}
