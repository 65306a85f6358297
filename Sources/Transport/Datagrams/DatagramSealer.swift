import Synchronization

/// Seals datagrams and numbers them. It uses no number twice under one key.
public final class DatagramSealer: Sendable {
    private let keys: DatagramKeys
    private let cipher: DatagramCipher
    private let lastSequence = Atomic<UInt64>(0)

    /// Makes a sealer. Each direction of a link must have only one, because a second one would use the same numbers
    /// again.
    public init(_ keys: DatagramKeys) {
        self.keys = keys
        cipher = DatagramCipher(key: keys.key, isSealing: true)
    }

    /// Seals a datagram. The first one has the number 1.
    public func seal(_ payload: [UInt8]) -> [UInt8] {
        let sequence = lastSequence.add(1, ordering: .relaxed).newValue
        let header = DatagramHeader(linkTag: keys.linkTag, sequence: sequence).bytes
        return header + cipher.seal(payload, header: header, vector: keys.vector(of: sequence))
    }
}
