public import Vocabulary

/// A version vector in which each machine has signed its own counter. So no machine can invent changes of another, even
/// if a part of the history is forgotten.
///
/// It grows from an empty vector, or from the vectors of checked versions.
public struct SignedVersion: Hashable, Sendable {
    /// The signature of a machine under its counter.
    public struct Proof: Hashable, Sendable {
        /// The machine's key.
        public let key: PublicKey
        /// The signature.
        public let signature: Signature
    }

    /// The counters.
    public private(set) var vector: VersionVector
    /// The proofs of the counters, in the same order.
    private(set) var proofs: [Proof]

    /// Creates an empty vector.
    public init() {
        (vector, proofs) = (VersionVector(), [])
    }

    /// Creates a vector from decoded parts, before any check.
    init(unchecked vector: VersionVector, _ proofs: [Proof]) {
        precondition(vector.parts.count == proofs.count, "each counter has its proof")
        (self.vector, self.proofs) = (vector, proofs)
    }

    /// Returns the least vector that includes both.
    public func merged(with other: SignedVersion) throws(VersionVector.Refusal) -> SignedVersion {
        let merged = try vector.merged(with: other.vector)
        let proofs = merged.parts.map { part in proof(of: part) ?? other.proof(of: part) }
        return SignedVersion(unchecked: merged, proofs.compactMap(\.self))
    }

    /// Returns the vector after one more change by a machine.
    /// - Parameter used: the highest counter that the machine is known to have used for the game
    public func bumped(
        by seal: VersionSeal,
        in set: SaveSetID,
        beyond used: UInt64 = 0
    ) throws(VersionVector.Refusal) -> SignedVersion {
        let bumped = try vector.bumped(by: seal.owner, beyond: used)
        let own = Proof(key: seal.key, signature: seal.signature(of: .counter(bumped[seal.owner], of: set)))
        let proofs = bumped.parts.map { part in part.peer == seal.owner ? own : proof(of: part) }
        return SignedVersion(unchecked: bumped, proofs.compactMap(\.self))
    }

    private func proof(of part: VersionVector.Part) -> Proof? {
        vector.parts.firstIndex(of: part).map { proofs[$0] }
    }
}
