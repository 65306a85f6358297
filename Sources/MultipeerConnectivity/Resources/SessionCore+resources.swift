import Foundation
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

extension SessionCore {
    /// How often the app sees how far a transfer is, as long as one is under way.
    private static let reportPace = Duration.milliseconds(100)

    /// Sends a file or folder.
    func send(
        _ path: String,
        as name: FileName,
        to peer: MCPeerID,
        _ report: TransferProgressReport,
        done: @escaping @Sendable (MCError?) -> Void
    ) {
        guard let mate = mates[peer.id], let pair = mate.pair else { return done(MCError(.left)) }
        let node = mate.node
        Engine.begin {
            defer { withExtendedLifetime(node) {} }
            do {
                guard !report.progress.isCancelled else { throw CancellationError() }
                guard let transfer = try await pair.sendResource(at: path, as: name, to: [peer.id]).first else {
                    throw MCError(.left)
                }
                report.whenCancelled { withExtendedLifetime(node) { transfer.cancel() } }
                defer { report.isOver() }
                try await self.following({ transfer.progress }, report) { _ = try await transfer.finished() }
                done(nil)
            } catch {
                done(report.progress.isCancelled ? Self.cancelled : MCError(of: error))
            }
        }
    }

    nonisolated static let cancelled = MCError(.cancelled, "it was cancelled")

    /// Tells how far something is until it is over, and whoever observes it knows that.
    private func following(
        _ progress: @escaping @Engine @Sendable () -> TransferProgress,
        _ report: TransferProgressReport,
        _ work: @escaping @Engine @Sendable () async throws -> Void
    ) async throws {
        let reporting = Engine.begin {
            while !Task.isCancelled {
                report.report(progress())
                try? await EventLoop.shared.sleep(for: Self.reportPace)
            }
        }
        do {
            try await work()
            // What it would report from now on is older than the end.
            reporting.cancel()
        } catch {
            reporting.cancel()
            await report.progress.isKnown()
            throw error
        }
        report.report(progress(), isDone: true)
        await report.progress.isKnown()
    }

    /// Takes what a peer sends. As with Apple nobody is asked: who is in the session may send.
    func take(_ resource: IncomingResource, _ mate: Mate, _ pair: Session) async {
        guard mate.isIn else { return resource.refuse() }
        let total = Int64(clamping: resource.totalBytes)
        let report = TransferProgressReport(ObservableProgress(of: total))
        let received = ReceivedResource(
            name: ResourceName.app(resource.name),
            peer: mate.peer,
            progress: report.progress
        )
        await courier.room()
        // The peer may be out by now.
        guard mate.pair === pair else { return resource.refuse() }
        tell(.resourceBegan(received))
        let node = mate.node
        Engine.begin {
            defer { withExtendedLifetime(node) {} }
            let outcome = await self.receive(resource, report, node)
            await self.courier.room()
            self.tell(.resourceEnded(received, outcome))
        }
    }

    private func receive(
        _ resource: IncomingResource,
        _ report: TransferProgressReport,
        _ node: Node?
    ) async -> Result<ReceivedFile, MCError> {
        do {
            let folder = try ReceptionFolder.make()
            report.whenCancelled { withExtendedLifetime(node) { resource.cancel() } }
            defer { report.isOver() }
            try await resource.accept(into: folder.path)
            try await following({ resource.progress }, report) { _ = try await resource.finished() }
            let name = try await resource.finished()
            return .success(ReceivedFile(URL(fileURLWithPath: "\(folder.path)/\(name.text)"), in: folder))
        } catch {
            resource.refuse()
            return .failure(report.progress.isCancelled ? Self.cancelled : MCError(of: error))
        }
    }
}
