import LinuxPlatform
import Resources
public import Vocabulary
import Wire

extension Session {
    /// Offers a file or a folder to some members, or to all. It is read from the disk once for all receivers.
    ///
    /// - Parameters:
    ///   - path: the file or folder, or a link to it
    ///   - name: the name at the receivers (default: its own name)
    ///   - leavesOut: true to leave out entries of a folder that can't be sent; false to refuse the folder
    /// - Returns: a transfer for each receiver
    public func sendResource(
        at path: String,
        as name: FileName? = nil,
        leavingOutUnsendable leavesOut: Bool = false,
        to peers: [PeerID]? = nil
    ) async throws -> [OutgoingResource] {
        let receivers = try chosen(peers)
        let source = try await runBlocking("source") {
            try ResourceSource(at: path, as: name, unsendable: leavesOut ? .leftOut : .refused)
        }
        // A member may have left meanwhile, or have joined again.
        let transfers = receivers.map { receiver in
            let member = members[receiver.peer] ?? receiver
            let owner = owner.transferOwner(for: member.peer)
            return OutgoingResource(source, from: path, to: member, context, owner: owner)
        }
        for transfer in transfers { transfer.begin() }
        return transfers
    }
}
