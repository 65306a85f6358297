/// Which protocol is spoken. The major version is agreed while TLS is set up and fixes the form of everything; the minor
/// version comes in `Hello` and may only add.
public enum WireVersion {
    /// What ALPN (RFC 7301) carries. A peer that does not offer it speaks another protocol.
    public static let protocolName = "huddle/2"

    /// The newest minor version spoken here.
    public static let minor: UInt16 = 0

    /// Whether a peer may use what is not known here.
    public static func isNewer(_ peerMinor: UInt16) -> Bool { peerMinor > minor }

    /// The minor version that two peers share: neither sends what came after it.
    public static func common(with peerMinor: UInt16) -> UInt16 { min(minor, peerMinor) }
}
