import CommandTable
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Sends files and folders to the peers of one session, however often the way there breaks.
@Engine
final class Sending {
    private let caller: Caller
    private let patience: Duration
    private let width: Int
    private var peers: [PeerTag] = []
    private var lastNumber = 0

    init(_ caller: Caller, patience: Duration, width: Int) {
        self.caller = caller
        self.patience = patience
        self.width = width
    }

    /// Gets another receiver into the session.
    func add(_ typed: String, wait: Duration) async throws {
        let peer = try await caller.connect(typed, wait: wait)
        if !peers.contains(where: { $0.id == peer.id }) { peers.append(peer) }
    }

    /// Sends one after the other to all; answers the code of the first failure.
    func send(_ paths: [String]) async throws -> ExitCode {
        var failure: ExitCode?
        for path in paths {
            do {
                // However many take it, it is read once.
                let transfers = try await caller.session.sendResource(at: path, to: peers.map(\.id))
                let outcome = try await follow(transfers, path)
                failure = failure ?? outcome
            } catch let error as any ExplainedError {
                await caller.report.complain("\(error)")
                failure = failure ?? ExitCode(of: error)
            }
        }
        return failure ?? .success
    }

    private func follow(_ transfers: [OutgoingResource], _ path: String) async throws -> ExitCode? {
        try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            for transfer in transfers {
                group.addTask { try await self.bring(transfer, path) }
            }
            var failure: ExitCode?
            for try await outcome in group { failure = failure ?? outcome }
            return failure
        }
    }

    /// Until it lies there, or nothing has moved for too long.
    private func bring(_ first: OutgoingResource, _ path: String) async throws -> ExitCode? {
        let peer = peers.first { $0.id == first.peer } ?? PeerTag(first.peer, nil)
        var transfer = first
        var (reached, lastMoved) = (UInt64(0), ContinuousClock.now)
        while true {
            do {
                let stored = try await watch(transfer, peer)
                try await caller.report.tell(.sent(transfer.name, as: stored, path, peer, transfer.progress.total))
                return nil
            } catch let error as any ExplainedError {
                if transfer.progress.done > reached { (reached, lastMoved) = (transfer.progress.done, .now) }
                let left = patience - (.now - lastMoved)
                guard left > .zero, Self.mayGoOn(error) else {
                    return try await giveUp(error, transfer.name, path, peer)
                }
                try await caller.report.tell(.interrupted(transfer.name, peer, error))
                switch await again(path, peer, left) {
                case .success(let next): transfer = next
                case .failure(let error): return try await giveUp(error, transfer.name, path, peer)
                }
            }
        }
    }

    private func again(_ path: String, _ peer: PeerTag, _ left: Duration) async -> Result<OutgoingResource, any Error> {
        do {
            _ = try await caller.connect(peer.id.description, wait: left, insists: true)
            let transfers = try await caller.session.sendResource(at: path, to: [peer.id])
            return .success(transfers[0])
        } catch {
            return .failure(error)
        }
    }

    private func watch(_ transfer: OutgoingResource, _ peer: PeerTag) async throws -> FileName {
        lastNumber += 1
        let name = transfer.name
        let watch = TransferWatch(
            report: caller.report,
            number: lastNumber,
            title: "\(PrintableText(name.text)) → \(peer)",
            width: width
        ) { progress in
            SessionNews("progress", peer, nil) {
                ($0.name, $0.bytes, $0.total) = (name.text, progress.done, progress.total)
            }
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
        _ peer: PeerTag
    ) async throws -> ExitCode {
        if error is CancellationError { throw error }
        try await caller.report.tell(.notSent(name, path, peer, error))
        await caller.report.complain("\(PrintableText(name.text)) is not with \(peer): \(error)")
        return ExitCode(of: error)
    }

    /// Whether the peer, or the way to it, may come back.
    private static func mayGoOn(_ error: any ExplainedError) -> Bool {
        switch error.code.description {
        case "transfer.gone", "transfer.cancelled-there", "session.not-connected": Caller.mayPass(error, true)
        default: (error as? SessionError)?.reason == .lost
        }
    }
}

extension SessionNews {
    fileprivate static func sent(
        _ name: FileName,
        as stored: FileName,
        _ path: String,
        _ peer: PeerTag,
        _ bytes: UInt64
    ) -> SessionNews {
        let place = name == stored ? "" : ", as “\(PrintableText(stored.text))”"
        let sentence = "\(PrintableText(name.text)) (\(SizeText.of(bytes))) is with \(peer)\(place)"
        return SessionNews("sent", peer, sentence) { ($0.name, $0.path, $0.bytes) = (stored.text, path, bytes) }
    }

    fileprivate static func interrupted(_ name: FileName, _ peer: PeerTag, _ error: any ExplainedError) -> SessionNews {
        let sentence = "\(PrintableText(name.text)): \(peer) is away; it goes on when it is back"
        return SessionNews("interrupted", peer, sentence) {
            ($0.name, $0.reason) = (name.text, error.code.description)
        }
    }

    fileprivate static func notSent(
        _ name: FileName,
        _ path: String,
        _ peer: PeerTag,
        _ error: any Error
    ) -> SessionNews {
        SessionNews("not-sent", peer, nil) {
            ($0.name, $0.path, $0.message) = (name.text, path, "\(error)")
            $0.reason = (error as? any ExplainedError)?.code.description
        }
    }
}
