import LinuxPlatform
import SaveRules
import Synchronization

/// Writing of the index: everything that is known, so that the next opening need not read the packs.
struct IndexWriter {
    private let store: HistoryStore

    init(_ store: HistoryStore) { self.store = store }

    /// The least number of pieces outside the index file at which the file is written again; for a large index it is a
    /// sixteenth of its pieces.
    static let recentLimit = 16_384

    /// Writes the index if many pieces were put since the last one. A failure is harmless: the newer pieces in the
    /// index only make the next opening faster.
    func saveIfLarge() {
        if isDue { _ = try? save() }
    }

    var isDue: Bool {
        store.shared.withLock { $0.recent.count > max(Self.recentLimit, ($0.base?.count ?? 0) / 16) }
    }

    /// Writes an index of everything known, and uses it from then on. At that moment everything known is flushed, and
    /// no other thread writes.
    ///
    /// - Parameter isKept: returns true if a piece stays in the index. It is called in the order of the ids, with the
    ///   piece's number in `older` if that has the piece at the same place
    /// - Parameter isRight: returns true if the choices of `isKept` still hold, at the moment when the new index is
    ///   about to be used
    /// - Returns: true if the new index is used
    @discardableResult
    func save(
        comparedTo older: IndexBase? = nil,
        keeping isKept: @escaping (PieceID, PieceLocation, Int?) -> Bool = { _, _, _ in true },
        where isRight: (SharedState) -> Bool = { _ in true }
    ) throws(HistoryError) -> Bool {
        let (base, recent, contents) = store.shared.withLock { shared in
            (
                shared.base, shared.recent,
                IndexFile.Contents(
                    lastPack: shared.packs.last,
                    packs: shared.packs.flushed,
                    collected: shared.packs.collected,
                    lostPacks: shared.losses.packs,
                    abandonedPacks: shared.losses.abandoned,
                    catalog: shared.catalog,
                    lost: shared.stillLost,
                    isDamaged: shared.isDamaged
                )
            )
        }
        var judge = try Judge(older, isKept)
        let new = try IndexFile.write(contents, in: store.folder, by: store.calls, sealedBy: store.seal) {
            output throws(HistoryError) in
            try Self.merge(base, recent) { entry throws(HistoryError) in
                if try judge.keeps(entry) { try output(entry) }
            }
        }
        let isDone = store.shared.withLock { shared in
            guard isRight(shared) else { return false }
            (shared.base, shared.recent) = (new, [:])
            return true
        }
        guard isDone else {
            try replace()
            return false
        }
        if contents.isOnlyHere { try explaining { () throws(SystemError) in try store.calls.syncFolder(store.folder) } }
        return true
    }

    /// Replaces an index that misses pieces which a batch has claimed meanwhile. A new index with all of them takes its
    /// place, because some facts are in no pack. If it can't be written, the index is removed, and the next opening
    /// reads the packs for the rest.
    private func replace() throws(HistoryError) {
        do throws(HistoryError) { try save() } catch {
            try explaining { () throws(SystemError) in
                try store.calls.remove(store.folder, IndexFile.fileName(IndexFile.name))
            }
            throw error
        }
    }

    /// Writes an index that holds only the facts that are in no pack, so that everything else is read from the packs.
    /// Removes the index if there are no such facts or the write fails.
    func leaveNone() {
        let contents = store.shared.withLock { shared in
            IndexFile.Contents(
                lastPack: shared.packs.last,
                collected: shared.packs.collected,
                lostPacks: shared.losses.packs,
                abandonedPacks: shared.losses.abandoned
            )
        }
        let isNeeded = !contents.collected.isEmpty || !contents.lostPacks.isEmpty
        if isNeeded,
            (try? IndexFile.write(contents, in: store.folder, by: store.calls, sealedBy: store.seal) { _ in }) != nil
        {
            return
        }
        try? store.calls.remove(store.folder, IndexFile.fileName(IndexFile.name))
    }

    /// Passes all pieces to `output` by ascending id, each once.
    private static func merge(
        _ base: IndexBase?,
        _ recent: [PieceID: PieceLocation],
        _ output: (IndexEntry) throws(HistoryError) -> Void
    ) throws(HistoryError) {
        let newer = recent.map { IndexEntry($0.key, $0.value) }.sorted { $0.id < $1.id }
        var (place, cursor) = (0, base?.cursor())
        var old = try cursor?.next()
        while true {
            if place < newer.count, old.map({ newer[place].id <= $0.id }) ?? true {
                if old?.id == newer[place].id { old = try cursor?.next() }
                try output(newer[place])
                place += 1
            } else if let entry = old {
                try output(entry)
                old = try cursor?.next()
            } else {
                return
            }
        }
    }

    /// Walks along an older index beside the newer, to find a piece's number in it.
    private struct Judge {
        private let isKept: (PieceID, PieceLocation, Int?) -> Bool
        private var cursor: IndexBase.Cursor?
        private var next: IndexEntry?
        private var number = 0

        init(_ older: IndexBase?, _ isKept: @escaping (PieceID, PieceLocation, Int?) -> Bool) throws(HistoryError) {
            self.isKept = isKept
            cursor = older?.cursor()
            next = try cursor?.next()
        }

        mutating func keeps(_ entry: IndexEntry) throws(HistoryError) -> Bool {
            while let old = next, old.id < entry.id {
                next = try cursor?.next()
                number += 1
            }
            let isSame = next == entry
            return isKept(entry.id, entry.location, isSame ? number : nil)
        }
    }
}
