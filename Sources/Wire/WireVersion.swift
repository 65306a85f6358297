/// The version of the protocol. The TLS handshake agrees on the major version, which fixes the form of all frames.
/// `Hello` announces the minor version, which may only add to that form.
public enum WireVersion {
    /// The name for ALPN (RFC 7301). A peer that does not offer it speaks another protocol.
    public static let protocolName = "huddle/2"

    /// The newest minor version that this program speaks.
    public static let minor: UInt16 = 0

    /// True if the peer may use additions that this program does not know.
    public static func isNewer(_ peerMinor: UInt16) -> Bool { peerMinor > minor }

    /// The minor version that two peers share. Neither sends later additions.
    public static func common(with peerMinor: UInt16) -> UInt16 { min(minor, peerMinor) }
}
