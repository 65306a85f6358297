public import Vocabulary

/// How a commitment and a code are made, byte by byte. Both sides have to mix the same, or nothing ever matches.
///
/// The inviter commits to its nonce before it sees that of the invited, and reveals it afterwards. So neither side, nor
/// anybody between them, can choose a nonce that leads to a wanted code: there is one guess, not a search. The code is
/// bound to both keys and to this very connection.
public struct PairingRecipe: Sendable {
    /// SHA-256; it is handed in because the floors below have no cryptography.
    public typealias Hash = @Sendable (_ bytes: [UInt8]) -> [UInt8]

    /// Who invites: A.
    public let inviter: PeerID
    /// Who is invited: B.
    public let invited: PeerID
    private let hash: Hash

    /// - Parameters:
    ///   - inviter: the key of who invites
    ///   - invited: the key of who is invited
    ///   - hash: SHA-256
    public init(inviter: PeerID, invited: PeerID, hash: @escaping Hash) {
        self.inviter = inviter
        self.invited = invited
        self.hash = hash
    }

    /// What the inviter sends instead of its nonce, at first.
    public func commitment(to nonce: PairingNonce) -> PairingCommitment {
        let digest = hash(Array("huddle pairing commitment".utf8) + nonce.bytes + inviter.bytes + invited.bytes)
        guard let commitment = PairingCommitment(bytes: digest) else {
            preconditionFailure("the hash of a pairing has 32 bytes, not \(digest.count)")
        }
        return commitment
    }

    /// What both screens show.
    /// - Parameters:
    ///   - inviterNonce: the nonce of A
    ///   - invitedNonce: the nonce of B
    ///   - binding: what TLS exports of the control lane for "EXPORTER-huddle-pairing", 32 bytes
    public func code(inviterNonce: PairingNonce, invitedNonce: PairingNonce, binding: [UInt8]) -> PairingCode {
        precondition(binding.count == 32, "a pairing is bound to 32 bytes of its connection")
        let keys = inviter.bytes + invited.bytes
        let nonces = inviterNonce.bytes + invitedNonce.bytes
        return PairingCode(digest: hash(Array("huddle pairing code".utf8) + keys + nonces + binding))
    }
}
