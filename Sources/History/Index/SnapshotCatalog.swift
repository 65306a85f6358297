import SaveRules

/// The snapshots of a history, with their locations and states.
struct SnapshotCatalog {
    enum State: UInt8 {
        case kept = 1
        case expected = 2
        case dropped = 3
    }

    struct Entry {
        /// The game; nil if the record can't be read.
        var set: SaveSetID?
        var state: State
        var location: PieceLocation
        /// Every pack that has a record of this snapshot. As long as there is one, a drop must not be forgotten.
        var packs: [UInt32]
    }

    private(set) var entries: [SnapshotID: Entry] = [:]

    subscript(id: SnapshotID) -> Entry? { entries[id] }

    /// The ids of the snapshots in one of some states.
    func ids(_ states: State...) -> [SnapshotID] {
        entries.filter { states.contains($0.value.state) }.map(\.key)
    }

    mutating func restore(_ id: SnapshotID, to entry: Entry?) {
        entries[id] = entry
    }

    /// Takes a record of a snapshot into account. A later record overrides an earlier one.
    mutating func take(_ id: SnapshotID, _ set: SaveSetID?, _ state: State, _ location: PieceLocation) {
        let packs = entries[id]?.packs ?? []
        let pack = location.place.pack
        entries[id] = Entry(
            set: set,
            state: state,
            location: location,
            packs: packs.contains(pack) ? packs : packs + [pack]
        )
    }

    mutating func drop(_ id: SnapshotID) {
        entries[id]?.state = .dropped
    }

    /// Forgets the snapshots that were known only because of packs that are gone.
    mutating func forget(packs gone: Set<UInt32>) {
        for (id, entry) in entries where entry.packs.contains(where: gone.contains) {
            var entry = entry
            entry.packs.removeAll(where: gone.contains)
            entries[id] = entry.packs.isEmpty ? nil : entry
        }
    }
}
