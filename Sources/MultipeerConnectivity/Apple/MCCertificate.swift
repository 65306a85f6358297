import Vocabulary

/// The certificate of a peer: the fingerprint of its key. Before an app sees it, the peer has proven that it has the
/// key.
///
/// Pass ``MCPeerID/securityIdentity`` to a session to show your own certificate.
public struct MCCertificate: Hashable, Sendable, CustomStringConvertible {
    /// 52 letters and digits in groups of four. Compare it with the fingerprint on the other device, or store it.
    public let fingerprint: String

    /// - Parameter fingerprint: the fingerprint on the other device; an invalid one gives nil
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
    /// The identity for a session that shows this peer's certificate to others. It replaces Apple's `SecIdentity` and
    /// `SecCertificate`, and does not contain the key.
    public var securityIdentity: [Any] { [MCCertificate(of: self)] }
}
