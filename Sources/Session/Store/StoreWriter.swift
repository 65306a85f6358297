import Ledger
import LinuxPlatform
import Vocabulary

/// Writes to the store in the background.
@Engine
final class StoreWriter {
    let store: any PeerStore
    private let tasks: TaskScope
    private let reportFailure: @Engine (any ExplainedError) -> Void
    private var unwrittenNotes = 0
    private var lostNotes = 0

    private static let unwrittenNoteLimit = 256

    init(_ store: any PeerStore, _ tasks: TaskScope, reportFailure: @escaping @Engine (any ExplainedError) -> Void) {
        (self.store, self.tasks, self.reportFailure) = (store, tasks, reportFailure)
    }

    /// Starts work on the store, and reports its failure.
    func write(_ work: @escaping @Engine @Sendable (any PeerStore) async throws -> Void) {
        tasks.add { await self.attempt(work) }
    }

    /// Adds an entry to the audit log.
    func note(
        _ word: String,
        about peer: PeerID?,
        _ details: [AuditEntry.Detail] = [],
        of origin: Ledger.AuditOrigin = .household
    ) {
        // A peer can cause entries faster than a disk stores them. Then some are dropped, and an entry has their
        // number.
        guard unwrittenNotes < Self.unwrittenNoteLimit else { return lostNotes += 1 }
        unwrittenNotes += 1
        tasks.add {
            defer { self.unwrittenNotes -= 1 }
            await self.attempt { store in
                try await store.note(word, about: peer, details, of: origin)
                guard self.lostNotes > 0 else { return }
                let lost = self.lostNotes
                self.lostNotes = 0
                try await store.note("notes-lost", about: nil, [.init("count", "\(lost)")])
            }
        }
    }

    /// Does work on the store now, and reports its failure.
    func attempt(_ work: @Engine (any PeerStore) async throws -> Void) async {
        do {
            try await work(store)
        } catch let error as any ExplainedError {
            reportFailure(error)
        } catch {}
    }
}
