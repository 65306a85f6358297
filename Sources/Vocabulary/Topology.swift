/// Who in a session is connected to whom.
public enum Topology: UInt8, CaseIterable, Hashable, Sendable {
    /// Two peers.
    case pair = 1
    /// Everybody to the host, nobody else to anybody.
    case star = 2
    /// Everybody to everybody.
    case mesh = 3
}
