/// Connections between the peers of a session.
public enum Topology: UInt8, CaseIterable, Hashable, Sendable {
    /// Two peers.
    case pair = 1
    /// Each peer to the host only.
    case star = 2
    /// Each peer to all others.
    case mesh = 3
}
