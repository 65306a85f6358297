import LinuxPlatform
import SaveRules
import Synchronization

extension History {
    /// How many pieces may be known beside the index file before it is written anew: at least so many, or a sixteenth of those in it.
    static let recentLimit = 16_384

    /// Writes the index anew if much has come since. That it can't be is no failure: what it would have more is only there to be quick.
    func saveIndexIfLarge() {
        if isIndexDue { _ = try? saveIndex() }
    }

    var isIndexDue: Bool {
        shared.withLock { $0.recent.count > max(Self.recentLimit, ($0.base?.count ?? 0) / 16) }
    }

    /// Writes an index of all that is known, and goes on with it. Everything known is flushed at that moment, and nobody else writes.
    ///
    /// - Parameter isKept: whether a piece is to stay known; asked in the order of the ids, with the number of the piece in `older` where it
    ///   is in that one at the same place
    /// - Parameter isRight: whether what was kept is still what is to stay; asked at the moment in which it begins to hold
    /// - Returns: whether it goes on with it
    @discardableResult
    func saveIndex(
        comparedTo older: IndexBase? = nil,
        keeping isKept: @escaping (PieceID, PieceLocation, Int?) -> Bool = { _, _, _ in true },
        where isRight: (SharedState) -> Bool = { _ in true }
    ) throws(HistoryError) -> Bool {
        let (base, recent, contents) = shared.withLock { shared in
            (
                shared.base, shared.recent,
                IndexFile.Contents(
                    lastPack: shared.lastPack,
                    packs: shared.flushed,
                    collected: shared.collected,
                    lostPacks: shared.lostPacks,
                    abandonedPacks: shared.abandonedPacks,
                    catalog: shared.catalog,
                    lost: shared.stillLost,
                    isDamaged: shared.isDamaged
                )
            )
        }
        var judge = try Judge(older, isKept)
        let new = try IndexFile.write(contents, in: folder, by: calls, sealedBy: seal) { output throws(HistoryError) in
            try Self.merge(base, recent) { entry throws(HistoryError) in
                if try judge.keeps(entry) { try output(entry) }
            }
        }
        let isDone = shared.withLock { shared in
            guard isRight(shared) else { return false }
            (shared.base, shared.recent) = (new, [:])
            return true
        }
        guard isDone else {
            try replaceIndex()
            return false
        }
        if contents.isOnlyHere { try explaining { () throws(SystemError) in try calls.syncFolder(folder) } }
        return true
    }

    /// The index lacks what somebody needs by now. Another with all takes its place, for what no pack says has to stay; only where that can't be written
    /// there is none, and whoever opens it finds all else by looking into the packs.
    private func replaceIndex() throws(HistoryError) {
        do throws(HistoryError) { try saveIndex() } catch {
            try explaining { () throws(SystemError) in try calls.remove(folder, IndexFile.fileName(IndexFile.name)) }
            throw error
        }
    }

    /// Leaves an index with nothing but what no pack says, so that all else is read from the packs; or none.
    func leaveNoIndex() {
        let contents = shared.withLock { shared in
            IndexFile.Contents(
                lastPack: shared.lastPack,
                collected: shared.collected,
                lostPacks: shared.lostPacks,
                abandonedPacks: shared.abandonedPacks
            )
        }
        let isNeeded = !contents.collected.isEmpty || !contents.lostPacks.isEmpty
        if isNeeded, (try? IndexFile.write(contents, in: folder, by: calls, sealedBy: seal) { _ in }) != nil { return }
        try? calls.remove(folder, IndexFile.fileName(IndexFile.name))
    }

    /// Hands over all pieces by ascending id, each once.
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

    /// Walks along an older index beside the newer, to know a piece's number in it.
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
