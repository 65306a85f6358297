import Vocabulary

/// What a peer proves itself with: the fingerprint of its key. By the time an app sees it, the peer has proven that it has the key.
///
/// Pass ``MCPeerID/securityIdentity`` to a session to show one's own.
public struct MCCertificate: Hashable, Sendable, CustomStringConvertible {
    /// 52 letters and digits in groups of four. Compare it with what the other device shows, or keep it.
    public let fingerprint: String

    /// - Parameter fingerprint: as the other device shows it; nil for what is none
    public init?(fingerprint: String) {
        guard let id = try? PeerID(fingerprint) else { return nil }
        self.fingerprint = id.description
    }

    init(of peer: MCPeerID) {
        fingerprint = peer.id.description
    }

    /// The fingerprint.
    public var description: String { fingerprint }
}

extension MCPeerID {
    /// What a session is given so that peers are shown this one's certificate: in the place of Apple's `SecIdentity` and `SecCertificate`. The key is not in it.
    public var securityIdentity: [Any] { [MCCertificate(of: self)] }
}
