public import Vocabulary

/// The check of the signatures of other machines under versions, with a memory of proven ones. The caller supplies the
/// cryptography, because the rules have none.
public struct SealCheck: Sendable {
    /// The largest number of proven counters in memory. A household's history repeats few of them.
    static let mostProven = 1_024

    let hash: ContentHash
    private let isSigned: @Sendable (_ bytes: [UInt8], _ signature: Signature, _ key: PublicKey) -> Bool
    private var proven: Set<ProvenCounter> = []

    private struct ProvenCounter: Hashable {
        let set: SaveSetID
        let counter: UInt64
        let proof: SignedVersion.Proof
    }

    /// - Parameters:
    ///   - hash: SHA-256
    ///   - isSigned: returns true if the owner of a key has signed some bytes
    public init(
        hashedBy hash: @escaping ContentHash,
        checkingBy isSigned: @escaping @Sendable (_ bytes: [UInt8], _ signature: Signature, _ key: PublicKey) -> Bool
    ) {
        (self.hash, self.isSigned) = (hash, isSigned)
    }

    /// Forgets the proven signatures.
    public mutating func forget() { proven = [] }

    func holds(_ statement: SignedStatement, _ proof: SignedVersion.Proof) -> Bool {
        isSigned(statement.bytes, proof.signature, proof.key)
    }

    /// True if each machine in a version vector has signed its counter.
    mutating func holds(_ version: SignedVersion, in set: SaveSetID) -> Bool {
        for (part, proof) in zip(version.vector.parts, version.proofs) {
            let counter = ProvenCounter(set: set, counter: part.counter, proof: proof)
            guard !proven.contains(counter) else { continue }
            guard holds(.counter(part.counter, of: set), proof) else { return false }
            if proven.count >= Self.mostProven { proven = [] }
            proven.insert(counter)
        }
        return true
    }
}
