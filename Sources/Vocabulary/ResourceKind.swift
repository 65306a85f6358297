/// What a resource is.
public enum ResourceKind: UInt8, CaseIterable, Hashable, Sendable {
    /// One file: its stream is its contents.
    case file = 1
    /// A folder with everything in it: its stream is a pack.
    case folder = 2
}
