public import Foundation
import LinuxPlatform
import SessionRules
import Vocabulary

extension MCSession {
    func beginResource(
        _ resourceURL: URL,
        _ resourceName: String,
        _ peerID: MCPeerID,
        _ completionHandler: (((any Error)?) -> Void)?
    ) -> Progress? {
        let done = Completion(completionHandler, on: core.delegateQueue.queue)
        let name: FileName
        do {
            name = try check(resourceURL, resourceName, peerID)
        } catch {
            done(error)
            return nil
        }
        let progress = ObservableProgress(of: -1)
        let (core, transfer) = (core, TransferProgressReport(progress))
        onEngine { core.send(resourceURL.path, as: name, to: peerID, transfer) { done($0) } }
        return progress
    }

    /// Sends a file or a folder, and returns after the peer has verified it. Cancelling the task cancels the transfer.
    public func sendResource(at resourceURL: URL, withName resourceName: String, to peerID: MCPeerID) async throws {
        let name = try check(resourceURL, resourceName, peerID)
        let progress = ObservableProgress(of: -1)
        let (core, transfer, outcome) = (core, TransferProgressReport(progress), Resumption<Void>())
        onEngine {
            core.send(resourceURL.path, as: name, to: peerID, transfer) { error in
                outcome.resume(with: error.map { .failure($0) } ?? .success(()))
            }
        }
        try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            transfer.cancel()
        }
    }

    private func check(_ url: URL, _ name: String, _ peer: MCPeerID) throws(MCError) -> FileName {
        guard url.isFileURL else {
            throw MCError(.unsupported, "only files of this machine can be sent: fetch it first, then send the file")
        }
        guard let name = ResourceName.file(for: name) else {
            throw MCError(.invalidParameter, "a resource's name has 1 to 255 bytes")
        }
        guard core.roster.entry(peer)?.state == .connected else { throw Self.notConnected }
        return name
    }
}

/// A handler that is called once, on the session's queue.
///
/// `@unchecked Sendable` because the app's closure is called on that queue only, as Apple's documentation permits.
private struct Completion: @unchecked Sendable {
    private let handler: (((any Error)?) -> Void)?
    private let queue: DispatchQueue

    init(_ handler: (((any Error)?) -> Void)?, on queue: DispatchQueue) {
        self.handler = handler
        self.queue = queue
    }

    func callAsFunction(_ error: MCError?) {
        queue.async { [self] in handler?(error) }
    }
}

/// Progress of a transfer for the app.
///
/// `@unchecked Sendable` because ``ObservableProgress`` locks its state, and nothing else is mutable.
final class TransferProgressReport: @unchecked Sendable {
    let progress: ObservableProgress

    init(_ progress: ObservableProgress) {
        self.progress = progress
    }

    func whenCancelled(_ work: @escaping @Engine @Sendable () -> Void) {
        progress.cancellationHandler = {
            Engine.begin { work() }
        }
        if progress.isCancelled { Engine.begin { work() } }
    }

    func cancel() { progress.cancel() }

    /// Removes the effect of cancelling.
    func isOver() { progress.cancellationHandler = nil }

    /// - Parameter isDone: true if the transfer is complete, no matter what the last count was
    func report(_ transfer: TransferProgress, isDone: Bool = false) {
        let (total, now) = (Int64(clamping: transfer.total), ContinuousClock.now)
        // A transfer that was too quick to measure has no speed.
        progress.throughput = transfer.rate(at: now).flatMap { Int(exactly: $0.rounded()) }
        let timeLeft = isDone ? .zero : transfer.timeLeft(at: now)
        progress.estimatedTimeRemaining = timeLeft.map { $0 / .seconds(1) }
        if progress.totalUnitCount != total { progress.totalUnitCount = total }
        progress.completedUnitCount = isDone ? total : Int64(clamping: min(transfer.done, transfer.total))
    }
}
