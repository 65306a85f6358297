/// The header of an archive that one machine sends to another: its destination and its length. The header comes after
/// its own length in two bytes, and before the archive.
public struct StateDelivery: Hashable, Sendable {
    /// The largest size of an archive.
    public static let maximumByteCount = 16 << 20
    /// The largest size of an encoded header.
    static let maximumHeadByteCount = 8 << 10

    /// The destination of an archive.
    public enum Destination: Hashable, Sendable {
        /// The inbox of the other machine.
        case inbox
        /// The game with this name on the other machine.
        case set(SaveSetName)
    }

    /// The destination.
    public let destination: Destination
    /// The path in the game, or the file name in the inbox.
    public let path: SavePath
    /// The size of the archive in bytes.
    public let byteCount: Int

    /// - Returns: nil if the archive is empty or too large
    public init?(to destination: Destination, at path: SavePath, byteCount: Int) {
        guard (1...Self.maximumByteCount).contains(byteCount) else { return nil }
        (self.destination, self.path, self.byteCount) = (destination, path, byteCount)
    }

    /// The canonical encoding, after its length.
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

/// A reader of one delivery in parts: the header, the archive, and nothing after it.
public struct StateDeliveryReader {
    private var bytes: [UInt8] = []
    /// The header, once all of it is here.
    public private(set) var delivery: StateDelivery?

    /// Creates a reader that has read nothing.
    public init() {}

    /// Adds the next bytes.
    /// - Throws: if they are no delivery, or more than was announced
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

    /// Returns the archive after the end of the stream.
    /// - Throws: if a part of it is missing
    public func finish() throws(SaveFormatError) -> (delivery: StateDelivery, archive: [UInt8]) {
        guard let delivery, bytes.count == delivery.byteCount else { throw SaveFormatError(.cutShort) }
        return (delivery, bytes)
    }
}
