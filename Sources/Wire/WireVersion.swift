/// Which protocol is spoken. The major version is agreed while TLS is set up and fixes the form of everything; the minor
/// version comes in `Hello` and may only add.
public enum WireVersion {
    /// What ALPN (RFC 7301) carries. A peer that does not offer it speaks another protocol.
    public static let protocolName = "huddle/1"

    /// The newest minor version spoken here.
    public static let minor: UInt16 = 2

    /// From which minor version on peers take `About`.
    public static let aboutMinor: UInt16 = 1

    /// From which minor version on the offer of a file has its mode and its time of change.
    public static let stampMinor: UInt16 = 2

    /// Whether a peer may use what is not known here.
    public static func isNewer(_ peerMinor: UInt16) -> Bool { peerMinor > minor }

    /// The minor version that two peers share: neither sends what came after it.
    public static func common(with peerMinor: UInt16) -> UInt16 { min(minor, peerMinor) }
}
