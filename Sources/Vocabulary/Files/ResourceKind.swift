/// Kind of a resource.
public enum ResourceKind: UInt8, CaseIterable, Hashable, Sendable {
    /// One file: its stream is its content.
    case file = 1
    /// A folder with its content: its stream is a pack.
    case folder = 2
}
