public import Vocabulary

/// A version in which each machine has signed its own counter. So none can be made to have done what it has not, whatever of the past
/// was forgotten.
///
/// It grows from nothing, or from the versions of snapshots, which were checked.
public struct SignedVersion: Hashable, Sendable {
    /// The word of a machine for its counter.
    public struct Proof: Hashable, Sendable {
        /// The machine's key.
        public let key: PublicKey
        /// Its signature.
        public let signature: Signature
    }

    /// The counters.
    public private(set) var vector: VersionVector
    /// One for each part of them, in their order.
    private(set) var proofs: [Proof]

    /// Nothing was done yet.
    public init() {
        (vector, proofs) = (VersionVector(), [])
    }

    /// Read, and not checked yet.
    init(unchecked vector: VersionVector, _ proofs: [Proof]) {
        precondition(vector.parts.count == proofs.count, "each counter has its proof")
        (self.vector, self.proofs) = (vector, proofs)
    }

    /// The least version that has all of both.
    public func merged(with other: SignedVersion) throws(VersionVector.Refusal) -> SignedVersion {
        let merged = try vector.merged(with: other.vector)
        let proofs = merged.parts.map { part in proof(of: part) ?? other.proof(of: part) }
        return SignedVersion(unchecked: merged, proofs.compactMap(\.self))
    }

    /// The version after a machine did one more thing in a set.
    /// - Parameter used: the highest number that the machine is known to have used for the set
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
