public import Vocabulary

/// How this machine signs what it does to saves. The secret key stays with who made this: the rules have no
/// cryptography.
public struct VersionSeal: Sendable {
    /// The machine that signs.
    public let owner: PeerID
    /// The key with which other machines check its signatures.
    public let key: PublicKey
    let hash: ContentHash
    private let sign: @Sendable (_ bytes: [UInt8]) -> Signature

    /// - Parameters:
    ///   - key: what others check the signatures with
    ///   - hash: SHA-256
    ///   - sign: signs bytes with the secret key that belongs to it
    public init(
        of key: PublicKey,
        hashedBy hash: @escaping ContentHash,
        signingBy sign: @escaping @Sendable (_ bytes: [UInt8]) -> Signature
    ) {
        (self.key, self.hash, self.sign) = (key, hash, sign)
        owner = PeerID(of: key, hashedBy: hash)
    }

    func signature(of statement: SignedStatement) -> Signature { sign(statement.bytes) }
}

/// The statements that a machine signs. Each kind begins with words of its own, so that no signature of one is a signature of another.
enum SignedStatement {
    /// Its counter in a set has come to this.
    case counter(UInt64, of: SaveSetID)
    /// It made the snapshot that begins with these bytes.
    case snapshot(ArraySlice<UInt8>)
    /// It paired or removed a machine, in the statement that begins with these bytes.
    case household(ArraySlice<UInt8>)

    var bytes: [UInt8] {
        switch self {
        case .counter(let counter, let set):
            var bytes = Array("huddle version 1".utf8) + set.bytes
            bytes.append(bigEndian: counter)
            return bytes
        case .snapshot(let body): return Array("huddle snapshot 1".utf8) + body
        case .household(let body): return Array("huddle household 1".utf8) + body
        }
    }
}
