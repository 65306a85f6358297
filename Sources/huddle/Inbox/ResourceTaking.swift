import Ledger
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Takes a file or a folder that a peer offers.
@Engine
struct ResourceTaking {
    private let inbox: Inbox
    private let resource: IncomingResource
    private let peer: PeerTag
    private let folder: InboxFolder
    private let number: Int

    init(_ inbox: Inbox, _ resource: IncomingResource, _ peer: PeerTag, into folder: InboxFolder) {
        self.inbox = inbox
        self.folder = folder
        self.resource = resource
        self.peer = peer
        number = inbox.nextNumber()
    }

    func run() async throws {
        do {
            try await resource.accept(into: folder.path)
            let stored = try await watch()
            try await enter(stored)
        } catch let error as any ExplainedError {
            try await tellFailure(error)
        }
    }

    private var kind: String { resource.isFolder ? "folder" : "file" }

    private func watch() async throws -> FileName {
        let (resource, peer) = (resource, peer)
        let watch = TransferWatch(
            report: inbox.report,
            number: number,
            title: "\(peer) → \(PrintableText(resource.name.text))",
            width: inbox.width
        ) { progress in
            SessionNews("progress", peer, nil) {
                ($0.name, $0.bytes, $0.total) = (resource.name.text, progress.done, progress.total)
            }
        }
        return try await watch.during {
            resource.progress
        } _: {
            try await resource.finished()
        }
    }

    private func enter(_ stored: FileName) async throws {
        let path = folder.path(of: stored)
        do {
            try await inbox.node.ledger.enter(
                resource.isFolder ? .folder(resource.name, path: path) : .file(resource.name, path: path),
                from: peer.id,
                called: peer.name,
                size: ByteCount(resource.totalBytes)
            )
        } catch {
            await inbox.report.complain("\(PrintableText(path, limit: 4096)) is there but not in the list: \(error)")
        }
        let sentence = "\(peer) sent \(PrintableText(path, limit: 4096)) (\(SizeText.of(resource.totalBytes)))"
        try await inbox.report.tell(
            SessionNews("received", peer, sentence) {
                ($0.name, $0.path, $0.kind, $0.bytes) = (resource.name.text, path, kind, resource.totalBytes)
            }
        )
    }

    private func tellFailure(_ error: any ExplainedError) async throws {
        let name = PrintableText(resource.name.text)
        let isGone = error.code == "transfer.gone"
        let sentence =
            isGone
            ? "\(name) is not all here: \(peer) is gone; what has come is kept for when it sends it again"
            : "\(name) from \(peer) is not here: \(error)"
        try await inbox.report.tell(
            SessionNews("not-received", peer, sentence) {
                ($0.name, $0.kind) = (resource.name.text, kind)
                ($0.reason, $0.message) = (error.code.description, error.message)
            }
        )
    }
}
