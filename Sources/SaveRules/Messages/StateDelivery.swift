/// The head of one archive that a machine gives to another: its destination and its length. The head comes after
/// its own length in two bytes, and before the archive.
public struct StateDelivery: Hashable, Sendable {
    /// How large an archive may be.
    public static let maximumByteCount = 16 << 20
    /// How long the encoding may be.
    static let maximumHeadByteCount = 8 << 10

    /// The destination of an archive.
    public enum Destination: Hashable, Sendable {
        /// To what comes there for a person.
        case inbox
        /// Into the set that is called so there.
        case set(SaveSetName)
    }

    /// Its destination.
    public let destination: Destination
    /// Its place in the set, or what it is called.
    public let path: SavePath
    /// How many bytes the archive has.
    public let byteCount: Int

    /// - Returns: nil where there are no bytes, or too many
    public init?(to destination: Destination, at path: SavePath, byteCount: Int) {
        guard (1...Self.maximumByteCount).contains(byteCount) else { return nil }
        (self.destination, self.path, self.byteCount) = (destination, path, byteCount)
    }

    /// The one way to write it, behind its length.
    public var encoded: [UInt8] {
        var head: [UInt8]
        switch destination {
        case .inbox: head = [0]
        case .set(let name):
            head = [1]
            head.append(counted: name.description)
        }
        head.append(counted: path.text)
        head.append(bigEndian: UInt32(byteCount))
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt16(head.count))
        return bytes + head
    }

    init(decoding bytes: [UInt8]) throws(SaveFormatError) {
        var reader = CanonicalReader(bytes)
        let kind = try reader.integer(UInt8.self)
        guard kind <= 1 else { throw reader.error(.badDelivery) }
        var destination = Destination.inbox
        if kind == 1 {
            guard let name = try? SaveSetName(try reader.text()) else { throw reader.error(.badDelivery) }
            destination = .set(name)
        }
        guard let path = try? SavePath(try reader.text()) else { throw reader.error(.badDelivery) }
        let count = try reader.integer(UInt32.self)
        guard let delivery = StateDelivery(to: destination, at: path, byteCount: Int(count)) else {
            throw reader.error(.badDelivery)
        }
        try reader.finish()
        self = delivery
    }
}

/// Takes the bytes of one delivery as they come: the head, the archive, and nothing behind it.
public struct StateDeliveryReader {
    private var bytes: [UInt8] = []
    /// The contents of the head, once all of it is here.
    public private(set) var delivery: StateDelivery?

    /// Nothing has come yet.
    public init() {}

    /// Takes what comes next.
    /// - Throws: where it is no delivery, or more comes than was announced
    public mutating func append(_ more: [UInt8]) throws(SaveFormatError) {
        bytes += more
        if delivery == nil, bytes.count >= 2 {
            let count = Int(bytes[0]) << 8 | Int(bytes[1])
            guard count <= StateDelivery.maximumHeadByteCount else { throw SaveFormatError(.badDelivery, offset: 0) }
            if bytes.count >= 2 + count {
                delivery = try StateDelivery(decoding: Array(bytes[2..<(2 + count)]))
                bytes.removeFirst(2 + count)
            }
        }
        guard let delivery else { return }
        guard bytes.count <= delivery.byteCount else { throw SaveFormatError(.bytesAfterTheEnd) }
    }

    /// The archive, once the stream has ended.
    /// - Throws: where something of it is missing
    public func finish() throws(SaveFormatError) -> (delivery: StateDelivery, archive: [UInt8]) {
        guard let delivery, bytes.count == delivery.byteCount else { throw SaveFormatError(.cutShort) }
        return (delivery, bytes)
    }
}
