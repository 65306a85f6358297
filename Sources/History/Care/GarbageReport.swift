/// The result of a garbage collection.
public struct GarbageReport: Hashable, Sendable {
    /// The least garbage that is worth a move. Notes and drop records alone amount to some garbage.
    private static let leastGarbage: UInt64 = 4 << 10

    /// The number of packs that were removed.
    public internal(set) var removedPacks = 0
    /// The number of bytes by which the disk usage fell.
    public internal(set) var freedBytes: UInt64 = 0
    /// The number of bytes that were copied into other packs for that.
    public internal(set) var movedBytes: UInt64 = 0
    /// The number of pieces that were removed.
    public internal(set) var removedPieces = 0
    /// The number of unused bytes that stay, in packs of which more than half is used.
    public internal(set) var remainingGarbage: UInt64 = 0
    /// The number of packs that stay because a record in them that is used is damaged.
    public internal(set) var damagedPacks = 0

    /// The number of unused bytes in a pack, and true if they make it worth removing the pack.
    static func garbage(inPackOf length: UInt64, needing needed: UInt64) -> (bytes: UInt64, isWorthIt: Bool) {
        let content = length - min(length, UInt64(PackSeal.fileByteCount))
        let garbage = content - min(content, needed)
        return (garbage, needed <= content / 2 && garbage >= leastGarbage)
    }
}
