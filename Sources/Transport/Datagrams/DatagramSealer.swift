import Synchronization

/// Seals datagrams and numbers them, so that no number is ever used twice under one key.
public final class DatagramSealer: Sendable {
    private let keys: DatagramKeys
    private let cipher: DatagramCipher
    private let lastSequence = Atomic<UInt64>(0)

    /// There must be one for each direction of a link and no more: a second one would use the first one's numbers again.
    public init(_ keys: DatagramKeys) {
        self.keys = keys
        cipher = DatagramCipher(key: keys.key, isSealing: true)
    }

    /// The datagram as it goes out. The first one has the number 1.
    public func seal(_ payload: [UInt8]) -> [UInt8] {
        let sequence = lastSequence.add(1, ordering: .relaxed).newValue
        let header = DatagramHeader(linkTag: keys.linkTag, sequence: sequence).bytes
        return header + cipher.seal(payload, header: header, vector: keys.vector(of: sequence))
    }
}
