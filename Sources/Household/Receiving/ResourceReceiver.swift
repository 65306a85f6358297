import Ledger
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Takes a file or a folder that a peer offers.
@Engine
struct ResourceReceiver {
    private let household: Household
    private let resource: IncomingResource
    private let peer: PeerTag
    private let folder: InboxFolder
    private let number: Int

    init(_ household: Household, _ resource: IncomingResource, _ peer: PeerTag, into folder: InboxFolder) {
        self.household = household
        self.folder = folder
        self.resource = resource
        self.peer = peer
        number = household.nextTransfer()
    }

    /// Runs until the transfer or the node ends.
    func run() async {
        do {
            let folder = folder
            let prepared = try await household.node.fileLoop().performing { Result { try folder.prepare() } }
            do { try prepared.get() } catch {
                resource.refuse()
                throw error
            }
            try await resource.accept(into: folder.path)
            let stored = try await watch()
            await enter(stored)
        } catch let error as any ExplainedError {
            tellFailure(error)
        } catch {
            tellCutShort()
        }
    }

    private var kind: TransferKind { resource.isFolder ? .folder : .file }

    private func watch() async throws -> FileName {
        let (resource, peer, number, household) = (resource, peer, number, household)
        let watch = TransferWatch { progress in
            let event = TransferProgressEvent(
                .receiving,
                peer,
                resource.name.text,
                done: progress.done,
                total: progress.total,
                transfer: number
            )
            household.tell(DaemonLine(.progress(event), nil))
        }
        return try await watch.during {
            resource.progress
        } _: {
            try await resource.finished()
        }
    }

    private func enter(_ stored: FileName) async {
        let path = folder.path(of: stored)
        let size = resource.contentBytes ?? resource.totalBytes
        do {
            try await household.node.ledger.inbox.enter(
                resource.isFolder ? .folder(resource.name, path: path) : .file(resource.name, path: path),
                from: peer.id,
                called: peer.name,
                size: ByteCount(size)
            )
        } catch {
            household.tell(.trouble("\(PrintableText(path, limit: 4096)) is there but not in the list: \(error)"))
        }
        let sentence = "\(peer) sent \(PrintableText(shortPath: path)) (\(SizeText.of(size)))"
        let received = ReceivedEvent(
            machine: peer,
            name: resource.name.text,
            path: path,
            kind: kind,
            bytes: size,
            transfer: number
        )
        household.tell(DaemonLine(.received(received), sentence))
    }

    private func tellFailure(_ error: any ExplainedError) {
        let name = PrintableText(resource.name.text)
        let sentence =
            switch (error.code, (error as? SessionError)?.reason) {
            // The user of the other machine has ended the command.
            case ("transfer.gone", .left):
                "\(name) is not all here: \(peer) cancelled it; what has come is kept for when it sends it again"
            case ("transfer.gone", _):
                "\(name) is not all here: \(peer) is gone; what has come is kept for when it sends it again"
            default: "\(name) from \(peer) is not here: \(error)"
            }
        tellFailure(sentence, error)
    }

    /// Reports that the end of the node cut the transfer short.
    private func tellCutShort() {
        let name = PrintableText(resource.name.text)
        tellFailure(
            "\(name) is not all here: this side has stopped; what has come is kept for when \(peer) sends it again",
            SessionError(.shuttingDown)
        )
    }

    private func tellFailure(_ sentence: String, _ error: any ExplainedError) {
        let event = NotReceivedEvent(kind, peer, error, name: resource.name.text, transfer: number)
        household.tell(DaemonLine(.notReceived(event), sentence))
    }
}
