/// What datagrams of one direction between two peers are sealed with. Both derive it from their control lane.
public struct DatagramKeys: Sendable {
    /// Which way datagrams go.
    public enum Direction: String, Sendable {
        /// From the side that dialled the control lane.
        case fromDialler = "dialler"
        /// From the side that answered.
        case fromAnswerer = "answerer"
    }

    static let keyCount = 32
    static let vectorCount = 12
    static let tagCount = 8

    /// What the datagrams are told by before anything of them is opened.
    public let linkTag: UInt64

    let key: [UInt8]
    let vector: [UInt8]

    /// Derives them from a lane; both of its ends get the same.
    public init(of lane: Lane, _ direction: Direction) throws(LaneError) {
        let count = Self.keyCount + Self.vectorCount + Self.tagCount
        let context = Array(direction.rawValue.utf8)
        let bytes = try lane.exportKey(label: "EXPORTER-huddle-datagrams", context: context, count: count)
        self.init(exported: bytes)
    }

    /// Takes 52 bytes of a lane's exporter apart.
    init(exported bytes: [UInt8]) {
        precondition(bytes.count == Self.keyCount + Self.vectorCount + Self.tagCount)
        key = Array(bytes.prefix(Self.keyCount))
        vector = Array(bytes.dropFirst(Self.keyCount).prefix(Self.vectorCount))
        linkTag = bytes.suffix(Self.tagCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The vector of one datagram: no two under one key may have the same, so no number may be used twice.
    func vector(of sequence: UInt64) -> [UInt8] {
        var mixed = vector
        for place in 0..<8 {
            mixed[Self.vectorCount - 1 - place] ^= UInt8(truncatingIfNeeded: sequence >> (8 * UInt64(place)))
        }
        return mixed
    }
}
