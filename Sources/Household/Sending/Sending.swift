import Ledger
package import LinuxPlatform
import Resources
import Session
import SessionRules
import Vocabulary

/// Sends files and folders to the peers of one session, however often the connection breaks.
@Engine
package final class Sending {
    private let call: Call
    private let patience: Duration
    private let leavesOut: Bool
    private var peers: [PeerTag] = []
    /// The running transfers, one to each peer.
    private var underWay: [PeerID: UnderWay] = [:]
    /// The receivers that do not answer.
    private var absent: [PeerID: Absence] = [:]

    fileprivate struct Absence {
        let reason: ErrorCode
        let since: WallTime
    }

    private struct UnderWay {
        let name: FileName
        let number: Int
        /// True once the caller knows that the transfer waits for the peer.
        var waits = false
    }

    /// - Parameters:
    ///   - patience: time that a receiver may be offline during a transfer
    ///   - leavesOut: true to skip entries of a folder that can't be sent; false to refuse the folder because of them
    package init(_ call: Call, patience: Duration, leavesOut: Bool) {
        self.call = call
        self.leavesOut = leavesOut
        self.patience = patience
        call.sending = self
    }

    /// Throws if one of the files can't be sent, before the user is asked for a code.
    ///
    /// The files are opened again once the peers are connected. That may take minutes, and a save may have changed by
    /// then.
    package nonisolated static func look(at paths: [String], leavingOut leavesOut: Bool) async throws {
        for path in paths {
            _ = try await runBlocking("source") {
                try ResourceSource(at: path, unsendable: leavesOut ? .leftOut : .refused)
            }
        }
    }

    /// Gets another receiver into the session.
    package func add(_ typed: String, wait: Duration) async throws {
        let peer = try await call.connect(typed, wait: wait)
        if !peers.contains(where: { $0.id == peer.id }) { peers.append(peer) }
    }

    /// Sends one path after the other to all receivers; returns the first failure.
    package func send(_ paths: [String]) async throws -> (any Error)? {
        var failure: (any Error)?
        for path in paths {
            do {
                // The file is read once, however many receivers it has.
                let transfers = try await call.session.sendResource(
                    at: path,
                    leavingOutUnsendable: leavesOut,
                    to: peers.map(\.id)
                )
                if let first = transfers.first, first.leftOutCount > 0 {
                    try await call.tell(.leftOut(first, path))
                }
                let outcome = try await follow(transfers, path)
                failure = failure ?? outcome
            } catch let error as any ExplainedError {
                try await call.tell(.trouble("\(error)"))
                failure = failure ?? error
            }
        }
        return failure
    }

    private func follow(_ transfers: [OutgoingResource], _ path: String) async throws -> (any Error)? {
        try await withThrowingTaskGroup(of: (any Error)?.self) { group in
            for transfer in transfers {
                group.addTask { try await self.sendAgainIfCutOff(transfer, path) }
            }
            var failure: (any Error)?
            for try await outcome in group { failure = failure ?? outcome }
            return failure
        }
    }

    /// Waits until the file has arrived, or no byte has moved for too long.
    private func sendAgainIfCutOff(_ first: OutgoingResource, _ path: String) async throws -> (any Error)? {
        let peer = peers.first { $0.id == first.peer } ?? PeerTag(first.peer, nil)
        var transfer = first
        let number = call.household.nextTransfer()
        underWay[peer.id] = UnderWay(name: transfer.name, number: number)
        defer { underWay[peer.id] = nil }
        if let absence = absent[peer.id] { try await isAway(peer, absence.reason) }
        var (reached, lastMoved) = (UInt64(0), ContinuousClock.now)
        while true {
            do {
                let stored = try await watch(transfer, peer, number)
                try await call.tell(.sent(transfer, as: stored, path, peer, number))
                return nil
            } catch let error as any ExplainedError {
                if transfer.progress.done > reached { (reached, lastMoved) = (transfer.progress.done, .now) }
                let left = patience - (.now - lastMoved)
                guard left > .zero, Self.mayGoOn(error) else {
                    return try await giveUp(error, transfer.name, path, peer, number)
                }
                try await isAway(peer, error.code)
                switch await again(path, peer, left) {
                case .success(let next):
                    transfer = next
                    try await isBack(peer)
                case .failure(let error): return try await giveUp(error, transfer.name, path, peer, number)
                }
            }
        }
    }

    /// Notes that a peer does not answer. The caller learns once that its transfer waits, until the peer is back.
    func isAway(_ peer: PeerTag, _ reason: ErrorCode) async throws {
        let absence = absent[peer.id] ?? Absence(reason: reason, since: .now)
        absent[peer.id] = absence
        guard let thing = underWay[peer.id], !thing.waits else { return }
        underWay[peer.id]?.waits = true
        try await call.tell(.interrupted(thing.name, peer, thing.number, absence))
    }

    /// Notes that a peer is online again, and tells the caller that its transfer continues.
    func isBack(_ peer: PeerTag) async throws {
        absent[peer.id] = nil
        guard let thing = underWay[peer.id], thing.waits else { return }
        underWay[peer.id]?.waits = false
        try await call.tell(.goesOn(thing.name, peer, thing.number))
    }

    private func again(_ path: String, _ peer: PeerTag, _ left: Duration) async -> Result<OutgoingResource, any Error> {
        do {
            _ = try await call.connect(peer.id.description, wait: left, insists: true)
            let transfers = try await call.session.sendResource(
                at: path,
                leavingOutUnsendable: leavesOut,
                to: [peer.id]
            )
            return .success(transfers[0])
        } catch {
            return .failure(error)
        }
    }

    private func watch(_ transfer: OutgoingResource, _ peer: PeerTag, _ number: Int) async throws -> FileName {
        let (name, tell) = (transfer.name, call.tell)
        let watch = TransferWatch { progress in
            let event = TransferProgressEvent(
                .sending,
                peer,
                name.text,
                done: progress.done,
                total: progress.total,
                transfer: number
            )
            try await tell(DaemonLine(.progress(event), nil))
        }
        return try await watch.during {
            transfer.progress
        } _: {
            try await transfer.finished()
        }
    }

    private func giveUp(
        _ error: any Error,
        _ name: FileName,
        _ path: String,
        _ peer: PeerTag,
        _ number: Int
    ) async throws -> any Error {
        if error is CancellationError { throw error }
        try await call.tell(.notSent(name, path, peer, number, error))
        return error
    }

    /// True if the peer or the connection may return.
    private static func mayGoOn(_ error: any ExplainedError) -> Bool {
        switch error.code.description {
        case "transfer.gone", "transfer.cancelled-there", "session.not-connected": Call.mayPass(error, true)
        default: (error as? SessionError)?.reason == .lost
        }
    }
}

extension DaemonLine {
    @Engine
    fileprivate static func leftOut(_ transfer: OutgoingResource, _ path: String) -> DaemonLine {
        let first = transfer.leftOut.map { "\n  \(PrintableText($0, limit: 4096))" }.joined()
        let more = transfer.leftOutCount > transfer.leftOut.count ? "\n  …" : ""
        let sentence = "left out, because it can't be sent (\(transfer.leftOutCount)):\(first)\(more)"
        return DaemonLine(.skipped(SkippedEvent(path: path, count: Int64(transfer.leftOutCount))), sentence)
    }

    @Engine
    fileprivate static func sent(
        _ transfer: OutgoingResource,
        as stored: FileName,
        _ path: String,
        _ peer: PeerTag,
        _ number: Int
    ) -> DaemonLine {
        let (name, bytes) = (transfer.name, transfer.contentBytes)
        let place = name == stored ? "" : ", as “\(PrintableText(stored.text))”"
        let sentence = "\(PrintableText(name.text)) (\(SizeText.of(bytes))) is with \(peer)\(place)"
        let event = SentEvent(peer, bytes: bytes, name: stored.text, path: path, transfer: number)
        return DaemonLine(.sent(event), sentence)
    }

    fileprivate static func interrupted(
        _ name: FileName,
        _ peer: PeerTag,
        _ number: Int,
        _ absence: Sending.Absence
    ) -> DaemonLine {
        let sentence = """
            \(PrintableText(name.text)): waiting for \(peer), which is away since \(TimeText.clock(absence.since)); \
            it goes on when \(peer) is back
            """
        let event = InterruptedEvent(
            machine: peer,
            name: name.text,
            transfer: number,
            reason: absence.reason.description,
            since: absence.since.secondsSince1970
        )
        return DaemonLine(.interrupted(event), sentence)
    }

    fileprivate static func goesOn(_ name: FileName, _ peer: PeerTag, _ number: Int) -> DaemonLine {
        let event = TransferResumedEvent(machine: peer, name: name.text, transfer: number)
        return DaemonLine(.transferResumed(event), "\(peer) is back; \(PrintableText(name.text)) goes on")
    }

    fileprivate static func notSent(
        _ name: FileName,
        _ path: String,
        _ peer: PeerTag,
        _ number: Int,
        _ error: any Error
    ) -> DaemonLine {
        let fault = PassedOnError(error)
        let event = NotSentEvent(peer, name: name.text, path: path, transfer: number, fault)
        let sentence = "\(PrintableText(name.text)) is not with \(peer): \(fault.message)"
        return DaemonLine(.notSent(event), sentence, isTrouble: true)
    }
}
