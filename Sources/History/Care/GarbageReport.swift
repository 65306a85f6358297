/// What a collection of garbage came to.
public struct GarbageReport: Hashable, Sendable {
    /// How many packs were removed.
    public internal(set) var removedPacks = 0
    /// How many bytes more of the disk are free than before.
    public internal(set) var freedBytes: UInt64 = 0
    /// How many bytes had to be written elsewhere for that.
    public internal(set) var movedBytes: UInt64 = 0
    /// How many pieces were forgotten.
    public internal(set) var removedPieces = 0
    /// How many bytes nobody needs that stay, in packs of which most is needed.
    public internal(set) var remainingGarbage: UInt64 = 0
    /// Packs that stay because something in them that is needed is damaged.
    public internal(set) var damagedPacks = 0
}
