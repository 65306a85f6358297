import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// What a peer has asked for, on its way to it.
extension SavePeer {
    /// Something that it has asked for.
    enum Answer {
        case history(SaveSetID, SaveTicket, HistoryRequest)
        case pieces(SaveSetID, SaveTicket, SnapshotID, [PieceReference])

        var set: SaveSetID {
            switch self {
            case .history(let set, _, _), .pieces(let set, _, _, _): set
            }
        }

        var ticket: SaveTicket {
            switch self {
            case .history(_, let ticket, _), .pieces(_, let ticket, _, _): ticket
            }
        }
    }

    func answer(_ set: SaveSetID, _ ticket: SaveTicket, _ request: HistoryRequest) {
        answer(.history(set, ticket, request))
    }

    func answer(_ answer: Answer) {
        // Who asks in a new meeting passes over what answers the one before.
        answers.removeAll { $0.set == answer.set && $0.ticket != answer.ticket }
        guard answers.count < keeper.bounds.waitingAnswers, answers.append(answer) else {
            return keeper.caught(self, SaveRefusal(.tooMuch), at: nil)
        }
        answersFilled.wake()
    }

    /// What a meeting that is over asked for. The lane that it went by may be dead, and would hold up what the next one asks for.
    func forgetAnswers() {
        answers.removeAll { _ in true }
        let stream = self.stream
        self.stream = nil
        if let stream { crew.add { await stream.abort(because: .left) } }
    }

    func sendAnswers() async {
        while !Task.isCancelled {
            guard let answer = answers.removeFirst() else {
                try? await answersFilled.wait()
                continue
            }
            let stream: any OutgoingBytes
            do {
                stream = try await openStream()
            } catch {
                answers.removeAll { _ in true }
                continue
            }
            do {
                try await write(answer, to: stream)
            } catch {
                // The peer asks anew when it notices, so nothing of what it asked for is left to be said. What it has asked for since is.
                if self.stream === stream { forgetAnswers() }
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

    private func write(_ answer: Answer, to stream: any OutgoingBytes) async throws {
        switch answer {
        case .history(let set, let ticket, let request):
            let snapshots = keeper.part(of: self, in: set)?.machine.heads.graph.answer(to: request) ?? []
            try await stream.write(SaveDelivery.history(set, ticket, snapshots.map(\.encoded)).encoded)
        case .pieces(let set, let ticket, let snapshot, let wanted):
            let allowed = await allowedPieces(wanted, of: snapshot, in: set)
            var lacking = wanted.map(\.id).filter { !allowed.contains($0) }
            var rest = wanted.map(\.id).filter(allowed.contains)[...]
            while !rest.isEmpty {
                let read = await keeper.store.bytes(of: rest)
                var deliveries: [UInt8] = []
                for (piece, bytes) in zip(rest, read) {
                    guard let bytes else {
                        lacking.append(piece)
                        continue
                    }
                    deliveries += SaveDelivery.piece(set, ticket, piece, bytes).encoded
                }
                rest = rest.dropFirst(read.count)
                try await stream.write(deliveries)
            }
            if !lacking.isEmpty { try await stream.write(SaveDelivery.lacking(set, ticket, lacking).encoded) }
        }
    }

    /// Nothing of what belongs to other sets, whatever it is called.
    private func allowedPieces(
        _ wanted: [PieceReference],
        of snapshot: SnapshotID,
        in set: SaveSetID
    ) async -> Set<PieceID> {
        guard let kept = keeper.part(of: self, in: set), let known = kept.machine.heads.graph[snapshot] else {
            return []
        }
        keeper.trimmer.worked()
        return Set((try? await keeper.store.pieces(wanted, of: known)) ?? [])
    }
}
