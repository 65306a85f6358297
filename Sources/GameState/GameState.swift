public import SecureArchive

/// What a game has saved, as one tree that can be asked and changed at any depth, whatever format it came in.
///
/// A copy is a value: changing it leaves the original alone. What copies share is stored once until one of them changes it.
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

    /// In which format it was read; nil for one that was made here.
    public var format: ArchiveFormat?

    /// - Parameters:
    ///   - root: the whole tree
    ///   - format: in which it is written unless something else is asked for
    public init(_ root: ArchiveValue, format: ArchiveFormat? = nil) {
        self.root = root
        self.format = format
    }
}
