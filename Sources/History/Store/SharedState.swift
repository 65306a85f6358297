import LinuxPlatform
import SaveRules

/// The state that readers and writers of one history share.
struct SharedState {
    /// The pieces of the index file; nil if there is none yet.
    var base: IndexBase?
    /// The pieces that were put since the index was written. For a piece in both, this location is right.
    var recent: [PieceID: PieceLocation] = [:]
    var catalog = SnapshotCatalog()
    var losses = PackLosses()
    var packs = PackTable()
    var claims = BatchClaims()
    /// Pieces that a read found damaged. They count as missing, so that they can be put again.
    var suspects: Set<PieceID> = []
    /// True if a damaged part is found whose contents are unknown.
    var isDamaged = false
    /// True while a check or a collection runs.
    var isUnderCare = false

    /// True if nothing is known to be damaged or lost.
    var isUnharmed: Bool {
        suspects.isEmpty && !isDamaged && losses.packs.isEmpty && losses.snapshots.isEmpty && losses.incomplete.isEmpty
    }

    func location(of id: PieceID) throws(SystemError) -> PieceLocation? {
        if let location = recent[id] { return location }
        return try base?.find(id)?.location
    }

    func has(_ id: PieceID) throws(SystemError) -> Bool {
        guard !suspects.contains(id) else { return false }
        return try location(of: id) != nil
    }

    /// The pieces that are missing.
    func missing(of ids: [PieceID]) throws(SystemError) -> Set<PieceID> {
        var (missing, unsure) = (Set<PieceID>(), [PieceID]())
        for id in ids {
            if suspects.contains(id) { missing.insert(id) } else if recent[id] == nil { unsure.append(id) }
        }
        if let base {
            unsure.sort()
            unsure = try base.absent(of: unsure)
        }
        missing.formUnion(unsure)
        return missing
    }

    /// The lost snapshots except those that are kept again.
    var stillLost: [SnapshotID: SnapshotCatalog.Entry] {
        losses.snapshots.filter { id, _ in catalog[id]?.state != .kept }
    }

    /// Drops a snapshot. A snapshot that is dropped after an index listed it as kept is not lost. It stays lost if it
    /// was only expected again, or if this record is an earlier drop that was moved.
    mutating func drop(_ id: SnapshotID, at place: RecordPlace) {
        let state = catalog[id]?.state
        catalog.drop(id)
        guard state == nil || state == .kept, let before = losses.snapshots[id]?.location.place else { return }
        if (before.pack, before.offset) < (place.pack, place.offset) { losses.snapshots[id] = nil }
    }

    mutating func forget(packs gone: Set<UInt32>) {
        packs.forget(gone)
        catalog.forget(packs: gone)
    }
}
