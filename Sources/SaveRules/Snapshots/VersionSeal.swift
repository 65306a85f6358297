public import Vocabulary

/// The means by which this machine signs its changes to saves. The secret key stays with the caller, because the rules
/// have no cryptography.
public struct VersionSeal: Sendable {
    /// The machine that signs.
    public let owner: PeerID
    /// The key with which other machines check its signatures.
    public let key: PublicKey
    let hash: ContentHash
    private let sign: @Sendable (_ bytes: [UInt8]) -> Signature

    /// - Parameters:
    ///   - key: the key with which other machines check the signatures
    ///   - hash: SHA-256
    ///   - sign: signs bytes with the matching secret key
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

/// The statements that a machine signs. Each kind begins with different words, so that a signature of one kind is never
/// valid for another.
enum SignedStatement {
    /// The counter of the machine in a game has this value.
    case counter(UInt64, of: SaveSetID)
    /// The machine made the version whose encoding begins with these bytes.
    case snapshot(ArraySlice<UInt8>)
    /// The machine paired or removed another one, in the statement that begins with these bytes.
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
