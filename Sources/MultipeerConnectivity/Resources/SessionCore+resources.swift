import Foundation
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

extension SessionCore {
    /// Interval of progress reports to the app.
    private static let reportPace = Duration.milliseconds(100)

    func send(
        _ path: String,
        as name: FileName,
        to peer: MCPeerID,
        _ report: TransferProgressReport,
        done: @escaping @Sendable (MCError?) -> Void
    ) {
        guard let member = members[peer.id], let pair = member.pair else { return done(MCError(.left)) }
        let node = member.node
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

    /// Reports progress until the work has ended and every observer knows it.
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
            // A later report would be older than the end.
            reporting.cancel()
        } catch {
            reporting.cancel()
            await report.progress.isKnown()
            throw error
        }
        report.report(progress(), isDone: true)
        await report.progress.isKnown()
    }

    /// Accepts the resources of a peer. As with Apple, the user is not asked: a member of the session may send.
    func take(_ resource: IncomingResource, _ member: SessionPeer, _ pair: Session) async {
        guard member.progress.hasJoined else { return resource.refuse() }
        let total = Int64(clamping: resource.totalBytes)
        let report = TransferProgressReport(ObservableProgress(of: total))
        let received = ReceivedResource(
            name: ResourceName.app(resource.name),
            peer: member.peer,
            progress: report.progress
        )
        await delegateQueue.room()
        // The peer may have left by now.
        guard member.pair === pair else { return resource.refuse() }
        tell(.resourceBegan(received))
        let node = member.node
        Engine.begin {
            defer { withExtendedLifetime(node) {} }
            let outcome = await self.receive(resource, report, node)
            await self.delegateQueue.room()
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
