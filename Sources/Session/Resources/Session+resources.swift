import Ledger
import LinuxPlatform
import Resources
public import Vocabulary
import Wire

extension Session {
    /// Offers a file or a folder to some members, or to all. However many take it, it is read from the disk once.
    ///
    /// - Parameters:
    ///   - path: what to send; a link to it is followed
    ///   - name: what it is to be called over there; nil keeps its name
    ///   - leavesOut: whether entries of a folder that can't be sent are left out; else it is refused because of them
    /// - Returns: one for each receiver, on its way
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
        // Who was in when it was asked for may have left meanwhile, or have come in anew.
        let transfers = receivers.map { OutgoingResource(source, from: path, to: members[$0.peer] ?? $0, at: node) }
        for transfer in transfers { transfer.begin() }
        return transfers
    }
}

extension Node {
    private static let transferLimit = 256

    func take(_ offer: ControlFrame.ResourceOffer, from link: Link) {
        guard let member = member(offer.session, link) else { return }
        if let known = incoming[offer.transfer] {
            guard known.peer == link.peer else { return }
            do { try known.offeredAgain() } catch { link.part(because: .brokeProtocol) }
            return
        }
        // It would hold up the end and then be cut. Without an answer the sender offers it again when this machine is back.
        guard !isStopping else { return }
        let refusal: PartingReason? =
            !member.permissions.contains(.resources)
            ? .notPermitted
            : !hasRoomForTransfer(from: link.peer)
                || !member.session.hasRoomForMore()
                ? .full : nil
        guard refusal == nil, let place = OfferPlace(of: shares.memory(of: link.peer)) else {
            let reason = refusal ?? .full
            note("offer-refused", about: link.peer, [.init("reason", reason.word)])
            return link.send(.resourceAnswer(.init(transfer: offer.transfer, verdict: .refused(reason), message: "")))
        }
        let resource = IncomingResource(offer, for: member, in: place, at: self)
        incoming[offer.transfer] = resource
        member.session.deliver(.resource(resource))
    }

    /// Whether one more may be under way. What is over is only remembered, and makes room for what is new.
    private func hasRoomForTransfer(from peer: PeerID) -> Bool {
        let known = incoming.filter { $0.value.peer == peer }
        guard known.count >= Self.transferLimit else { return true }
        guard let oldest = known.values.filter(\.isOver).min(by: { $0.place.arrival < $1.place.arrival }) else {
            return false
        }
        oldest.forget()
        return true
    }

    /// Older transfers that have the same partial file.
    func transfers(like resource: IncomingResource) -> [IncomingResource] {
        incoming.values.filter { $0 !== resource && $0.isLike(resource) }
    }

    func takeCancel(_ cancel: ControlFrame.TransferCancel, from link: Link) {
        if let transfer = outgoing[cancel.transfer], transfer.peer == link.peer { transfer.wasCancelled(cancel.reason) }
        if let transfer = incoming[cancel.transfer], transfer.peer == link.peer { transfer.wasCancelled(cancel.reason) }
    }

    func takeResource(_ id: TransferID, on channel: LaneChannel, from link: Link) async {
        guard let transfer = incoming[id], transfer.peer == link.peer else { return channel.abort() }
        await transfer.begin(on: channel)
    }
}
