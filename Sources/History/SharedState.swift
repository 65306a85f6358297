import LinuxPlatform
import SaveRules

/// What readers and writers of one history share.
struct SharedState {
    /// The pieces of the index file; nil where there is none yet.
    var base: IndexBase?
    /// What came since; where both have a piece, this is right.
    var recent: [PieceID: PieceLocation] = [:]
    var catalog = SnapshotCatalog()
    /// Snapshots that an index knew to be kept and that were nowhere when the history was opened, as it knew them.
    var lost: [SnapshotID: SnapshotCatalog.Entry] = [:]
    /// Packs that an index knew and that are gone, for as long as anything is missed.
    var lostPacks: Set<UInt32> = []
    /// Those of them that a repair gave up: nothing is kept from being collected for what was in them.
    var abandonedPacks: Set<UInt32> = []
    /// Snapshots that are kept and lacked something of those packs when the history was opened.
    var lacking: [SnapshotID: SnapshotCatalog.Entry] = [:]
    /// How much of each pack can be read.
    var packs: [UInt32: UInt64] = [:]
    /// Packs with nothing in them that is needed, as long as a crash may leave or bring back their files.
    var collected: Set<UInt32> = []
    /// The last pack that was ever taken in or begun.
    var lastPack: UInt32 = 0
    /// How much of each pack a power cut can't take away: all of it, but for the last note perhaps.
    var flushed: [UInt32: UInt64] = [:]
    /// The packs that are open, the one last used at the end.
    private var open: [PackFile] = []
    /// What each batch that goes on has put or found, which must not be collected meanwhile.
    var protected: [Int: Set<PieceID>] = [:]
    var lastBatch = 0
    /// Pieces that were found damaged when they were read. They are not there, so that they can be put again.
    var suspects: Set<PieceID> = []
    /// Something is damaged of which nobody knows what it was.
    var isDamaged = false
    /// Somebody checks or cleans up.
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

    /// Those of some pieces that are not there.
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

    /// Without those that are kept again.
    var stillLost: [SnapshotID: SnapshotCatalog.Entry] {
        lost.filter { id, _ in catalog[id]?.state != .kept }
    }

    /// What was dropped after an index knew it to be kept is not lost. One that was only expected to come again, or whose earlier drop is moved,
    /// is lost as before.
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
