import LinuxPlatform
import SaveRules

/// The state that readers and writers of one history share.
struct SharedState {
    /// The pieces of the index file; nil if there is none yet.
    var base: IndexBase?
    /// The pieces that were put since the index was written. For a piece in both, this location is right.
    var recent: [PieceID: PieceLocation] = [:]
    var catalog = SnapshotCatalog()
    /// Snapshots that an index listed as kept and that no pack had when the history was opened, as the index listed
    /// them.
    var lost: [SnapshotID: SnapshotCatalog.Entry] = [:]
    /// Packs that an index listed and that are missing, as long as any snapshot is lost or incomplete.
    var lostPacks: Set<UInt32> = []
    /// The lost packs that a repair gave up: garbage collection no longer waits for them.
    var abandonedPacks: Set<UInt32> = []
    /// Kept snapshots that missed a piece of those packs when the history was opened.
    var lacking: [SnapshotID: SnapshotCatalog.Entry] = [:]
    /// The number of readable bytes of each pack.
    var packs: [UInt32: UInt64] = [:]
    /// Packs without any used record whose files may still be there after a crash.
    var collected: Set<UInt32> = []
    /// The greatest number of a pack that was ever loaded or begun.
    var lastPack: UInt32 = 0
    /// The number of bytes of each pack that survive a power cut: all except perhaps the last note.
    var flushed: [UInt32: UInt64] = [:]
    /// The open packs, the most recently used last.
    private var open: [PackFile] = []
    /// The pieces that each living batch has put or claimed. They must not be collected.
    var protected: [Int: Set<PieceID>] = [:]
    var lastBatch = 0
    /// Pieces that a read found damaged. They count as missing, so that they can be put again.
    var suspects: Set<PieceID> = []
    /// True if a damaged part is found whose contents are unknown.
    var isDamaged = false
    /// True while a check or a collection runs.
    var isUnderCare = false

    private static let openLimit = 32

    func location(of id: PieceID) throws(SystemError) -> PieceLocation? {
        if let location = recent[id] { return location }
        return try base?.find(id)?.location
    }

    func has(_ id: PieceID) throws(SystemError) -> Bool {
        guard !suspects.contains(id) else { return false }
        return try location(of: id) != nil
    }

    /// The pieces that are missing.
    func lacking(of ids: some Sequence<PieceID>) throws(SystemError) -> Set<PieceID> {
        var (lacking, unsure) = (Set<PieceID>(), [PieceID]())
        for id in ids {
            if suspects.contains(id) { lacking.insert(id) } else if recent[id] == nil { unsure.append(id) }
        }
        if let base {
            unsure.sort()
            unsure = try base.absent(of: unsure)
        }
        lacking.formUnion(unsure)
        return lacking
    }

    /// The lost snapshots except those that are kept again.
    var stillLost: [SnapshotID: SnapshotCatalog.Entry] {
        lost.filter { id, _ in catalog[id]?.state != .kept }
    }

    /// Drops a snapshot. A snapshot that is dropped after an index listed it as kept is not lost. It stays lost if it
    /// was only expected again, or if this record is an earlier drop that was moved.
    mutating func drop(_ id: SnapshotID, at place: RecordPlace) {
        let state = catalog[id]?.state
        catalog.drop(id)
        guard state == nil || state == .kept, let before = lost[id]?.location.place else { return }
        if (before.pack, before.offset) < (place.pack, place.offset) { lost[id] = nil }
    }

    func isProtected(_ id: PieceID) -> Bool {
        protected.values.contains { $0.contains(id) }
    }

    mutating func file(_ number: UInt32, in folder: borrowing Folder) throws(SystemError) -> PackFile {
        if let place = open.lastIndex(where: { $0.number == number }) {
            let file = open[place]
            if place < open.count - 1 { open.append(open.remove(at: place)) }
            return file
        }
        let file = PackFile(number, try folder.open(PackFile.name(number)))
        keepOpen(file)
        return file
    }

    mutating func keepOpen(_ file: PackFile) {
        if open.count >= Self.openLimit { open.removeFirst() }
        open.append(file)
    }

    mutating func forget(packs gone: Set<UInt32>) {
        for number in gone { (packs[number], flushed[number]) = (nil, nil) }
        open.removeAll { gone.contains($0.number) }
        collected.formUnion(gone)
        catalog.forget(packs: gone)
    }
}
