import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Answers the requests of one peer, in order, over one stream.
@Engine final class PeerAnswers {
    private let session: any SaveSession
    private let tasks: TaskScope
    private let services: SaveServices
    private var waiting: WaitingAnswers
    private var stream: (any OutgoingBytes)?
    private let filled = Waiters()

    init(_ session: any SaveSession, _ tasks: TaskScope, _ services: SaveServices) {
        (self.session, self.tasks, self.services) = (session, tasks, services)
        waiting = WaitingAnswers(of: session.allowance)
    }

    /// Adds a request. Returns false if too many wait.
    func add(_ answer: SaveAnswer) -> Bool {
        // A peer that asks in a new connection ignores answers to the one before.
        waiting.removeAll { $0.set == answer.set && $0.epoch != answer.epoch }
        guard waiting.count < services.bounds.waiting.answers, waiting.append(answer) else { return false }
        filled.wake()
        return true
    }

    /// Forgets the requests of a connection that is over. Its stream may be dead, and would hold up the answers of the
    /// next one.
    func forget() {
        waiting.removeAll { _ in true }
        let stream = self.stream
        self.stream = nil
        if let stream { tasks.add { await stream.abort(because: .left) } }
    }

    /// Answers requests until the task is cancelled.
    /// - Parameter heads: returns the versions of a game, if the peer shares it
    func run(_ heads: @Engine (SaveSetID) -> VersionState?) async {
        while !Task.isCancelled {
            guard let answer = waiting.removeFirst() else {
                try? await filled.wait()
                continue
            }
            let stream: any OutgoingBytes
            do { stream = try await openStream() } catch {
                waiting.removeAll { _ in true }
                continue
            }
            do { try await write(answer, to: stream, heads) } catch {
                // The peer asks again when it notices the failure, so its earlier requests need no answer. Requests
                // since then do.
                if self.stream === stream { forget() }
            }
        }
        await stream?.abort(because: .left)
    }

    private func openStream() async throws -> any OutgoingBytes {
        if let stream { return stream }
        let new = try await session.openStream()
        stream = new
        return new
    }

    private func write(
        _ answer: SaveAnswer,
        to stream: any OutgoingBytes,
        _ heads: @Engine (SaveSetID) -> VersionState?
    )
        async throws
    {
        switch answer {
        case .history(let set, let epoch, let request):
            let snapshots = heads(set)?.graph.answer(to: request) ?? []
            try await stream.write(SaveDelivery.history(set, epoch, snapshots.map(\.encoded)).encoded)
        case .pieces(let set, let epoch, let snapshot, let wanted):
            let allowed = await allowedPieces(wanted, of: heads(set)?.graph[snapshot])
            var missing = wanted.map(\.id).filter { !allowed.contains($0) }
            var rest = wanted.map(\.id).filter(allowed.contains)[...]
            var read = rest.isEmpty ? [] : await services.store.bytes(of: rest)
            while !rest.isEmpty {
                var deliveries: [UInt8] = []
                deliveries.reserveCapacity(read.reduce(0) { $0 + ($1?.count ?? 0) + 64 })
                for (piece, bytes) in zip(rest, read) {
                    guard let bytes else {
                        missing.append(piece)
                        continue
                    }
                    SaveDelivery.piece(set, epoch, piece, bytes).append(to: &deliveries)
                }
                rest = rest.dropFirst(read.count)
                // The disk's thread reads the next pieces while these are sent.
                let next = rest
                async let following = next.isEmpty ? [] : services.store.bytes(of: next)
                try await stream.write(deliveries)
                read = await following
            }
            if !missing.isEmpty { try await stream.write(SaveDelivery.missing(set, epoch, missing).encoded) }
        }
    }

    /// Returns the pieces among some that belong to a version. A peer gets no piece of other games, whichever names it
    /// sends.
    private func allowedPieces(_ wanted: [PieceReference], of version: Snapshot?) async -> Set<PieceID> {
        guard let version else { return [] }
        services.trimmer.worked()
        return Set((try? await services.store.pieces(wanted, of: version)) ?? [])
    }
}
