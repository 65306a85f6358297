import COpenSSL
import Vocabulary

/// The protocol that a channel is for, and what follows for its TLS.
struct ChannelProtocol: Sendable {
    /// The name of the protocol and its major version in ALPN. A machine that does not offer it is no peer.
    let protocolName: [UInt8]
    let groups: String
    let signatureAlgorithms: String
    /// The greatest size of a certificate in bytes.
    let certificateLimit: Int
    /// The number of tickets that the answering side hands out.
    let ticketCount: Int
    /// The id of the machine that has proven a certificate's key; nil for a certificate of a wrong form.
    let peerID: @Sendable (OpaquePointer) -> PeerID?

    /// Huddle's own protocol. A peer's certificate has about 320 bytes.
    static let peers = ChannelProtocol(
        protocolName: Array("huddle/2".utf8),
        groups: "X25519",
        signatureAlgorithms: "ed25519",
        certificateLimit: 2_048,
        ticketCount: 1,
        peerID: { @Sendable in PeerCertificate.peerID(of: $0) }
    )

    /// Syncthing's protocol. Its versions 1 have P-384 keys, its versions 2 Ed25519; users may have RSA keys.
    static let devices = ChannelProtocol(
        protocolName: Array("bep/1.0".utf8),
        groups: "X25519:P-256",
        signatureAlgorithms: "ed25519:ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:rsa_pss_rsae_sha256:rsa_pss_rsae_sha384",
        certificateLimit: 8_192,
        ticketCount: 0,
        peerID: { @Sendable in certificateDigest($0) }
    )

    /// The SHA-256 of a certificate in DER.
    @Sendable
    static func certificateDigest(_ certificate: OpaquePointer) -> PeerID? {
        var digest = [UInt8](repeating: 0, count: PeerID.byteCount)
        var count = CUnsignedInt(digest.count)
        guard X509_digest(certificate, EVP_sha256(), &digest, &count) == 1 else { return nil }
        return PeerID(bytes: digest.prefix(Int(count)))
    }
}
