/// Opens the datagrams of one direction of a link.
///
/// It does not detect repeated datagrams: its caller keeps the window of numbers.
public final class DatagramOpener: Sendable {
    private let keys: DatagramKeys
    private let cipher: DatagramCipher

    /// A datagram that is proven to be from the other end of the link.
    public struct Opened: Hashable, Sendable {
        /// The number of the datagram.
        public let sequence: UInt64
        /// The decrypted content.
        public let payload: [UInt8]
    }

    /// Makes an opener with the keys of the other end's sealer.
    public init(_ keys: DatagramKeys) {
        self.keys = keys
        cipher = DatagramCipher(key: keys.key, isSealing: false)
    }

    /// Opens a datagram; nil if it is of another link, was changed on the way, or is no datagram at all.
    public func open(_ datagram: [UInt8]) -> Opened? {
        guard let header = DatagramHeader(of: datagram), header.linkTag == keys.linkTag else { return nil }
        let open = Array(datagram.prefix(DatagramHeader.byteCount))
        let sealed = Array(datagram.dropFirst(DatagramHeader.byteCount))
        guard let payload = cipher.open(sealed, header: open, vector: keys.vector(of: header.sequence)) else {
            return nil
        }
        return Opened(sequence: header.sequence, payload: payload)
    }
}
