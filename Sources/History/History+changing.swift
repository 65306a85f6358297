import LinuxPlatform
public import SaveRules
import Synchronization

extension History {
    /// Begins a batch of pieces and snapshots.
    public func beginBatch() throws(HistoryError) -> HistoryBatch {
        try requireWriting()
        return HistoryBatch(self)
    }

    /// Stops keeping snapshots, whether they are kept or expected. The pieces that only they need stay until
    /// ``collectGarbage()`` removes them. When this returns, the drop survives a power cut.
    ///
    /// - Throws: `history.unknown-snapshot`, and then none is dropped
    public func drop(_ ids: some Sequence<SnapshotID>) throws(HistoryError) {
        try requireWriting()
        try writer.withLock { writer throws(HistoryError) in
            for id in ids {
                let state = shared.withLock { $0.catalog[id]?.state }
                guard state != nil, state != .dropped else { throw .unknown(id) }
            }
            for id in ids { try append(Record(.drop, id: id.digest), &writer) }
            try confirm(&writer)
        }
    }

    /// Gives up lost snapshots: a garbage collection no longer waits until their packs are back.
    public func forgetLost(_ ids: some Sequence<SnapshotID>) throws(HistoryError) {
        try requireWriting()
        try writer.withLock { writer throws(HistoryError) in
            let wereLost = shared.withLock { shared in
                ids.reduce(false) { shared.lost.removeValue(forKey: $1) != nil || $0 }
            }
            guard wereLost else { return }
            try confirm(&writer)
            try saveIndex()
        }
    }

    /// Throws `history.missing-pieces` unless every piece that a snapshot needs is there.
    func requireWhole(_ snapshot: Snapshot) throws(HistoryError) {
        var lacking = try lacking(of: snapshot.manifest.lazy.map(\.id))
        if lacking == 0 { lacking = try self.lacking(of: manifest(of: snapshot).pieces.lazy.map(\.id)) }
        guard lacking == 0 else { throw .incomplete(snapshot.id, missing: lacking) }
    }

    private func lacking(of pieces: some Sequence<PieceID>) throws(HistoryError) -> Int {
        try explaining { () throws(SystemError) in
            try shared.withLock { shared throws(SystemError) in try shared.lacking(of: pieces).count }
        }
    }
}
