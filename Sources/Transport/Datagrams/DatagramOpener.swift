/// Opens the datagrams of one direction of a link.
///
/// It does not know which ones it has seen: whoever asks keeps the window of numbers.
public final class DatagramOpener: Sendable {
    private let keys: DatagramKeys
    private let cipher: DatagramCipher

    /// A datagram that is proven to come from the other end of the link.
    public struct Opened: Hashable, Sendable {
        /// Its number.
        public let sequence: UInt64
        /// What was sealed.
        public let payload: [UInt8]
    }

    /// Takes what the other end seals with.
    public init(_ keys: DatagramKeys) {
        self.keys = keys
        cipher = DatagramCipher(key: keys.key, isSealing: false)
    }

    /// Nil where the datagram is of another link, was changed on the way, or is none at all.
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
