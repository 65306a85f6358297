import Ledger
import Session
package import Vocabulary

extension Household {
    /// Keeps a file that arrived outside of a transfer. It goes into the inbox and never replaces another file.
    ///
    /// - Returns: its name in the inbox, with a number if its own name was taken
    package func keep(_ bytes: [UInt8], as name: Label, from peer: PeerTag) async throws -> FileName {
        let file: StreamFile
        do { file = try await StreamFile.make(for: name, in: folder, on: node.fileLoop()) } catch let error
            as HouseholdError
            where error.code == InboxFolder.reservedCode
        {
            // The peer receives this error, and paths of this machine do not concern it.
            throw HouseholdError(
                error.code,
                "that machine takes no files now",
                nextStep: "run `huddle status` there, which says why"
            )
        }
        try await file.write(bytes, at: 0)
        let stored = try await file.finish()
        let path = folder.path(of: stored)
        let size = UInt64(bytes.count)
        try await node.ledger.inbox.enter(
            .file(stored, path: path),
            from: peer.id,
            called: peer.name,
            size: ByteCount(size)
        )
        let received = ReceivedEvent(machine: peer, name: stored.text, path: path, kind: .file, bytes: size)
        let sentence = "\(peer) sent \(PrintableText(shortPath: path)) (\(SizeText.of(size)))"
        tell(DaemonLine(.received(received), sentence))
        return stored
    }
}
