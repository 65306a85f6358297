public import SecureArchive

/// The content of a save as one tree, for reading and editing at any depth, in any format.
///
/// A copy is a value: editing it leaves the original alone. Content that copies share is stored once until one of them
/// changes it.
///
/// ```swift
/// var state = try GameState(reading: bytes)
/// let height = try state.integer(at: "people[0].height")
/// try state.set(.integer(ArchiveInteger(height + 1)), at: "people[0].height")
/// let changed = try state.write()
/// ```
public struct GameState: Sendable, Equatable {
    /// The whole tree.
    public var root: ArchiveValue

    /// The format in which it was read; nil for a new tree.
    public var format: ArchiveFormat?

    /// - Parameters:
    ///   - root: the whole tree
    ///   - format: the default format for writing
    public init(_ root: ArchiveValue, format: ArchiveFormat? = nil) {
        self.root = root
        self.format = format
    }
}
