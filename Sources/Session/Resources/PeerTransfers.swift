import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

/// The transfers with one peer.
@Engine
final class PeerTransfers {
    private(set) var outgoing: [TransferID: OutgoingResource] = [:]
    private(set) var incoming: [TransferID: IncomingResource] = [:]
    private let context: NodeContext
    /// Weak, because programs keep resources after the end of their peer.
    private weak var owner: (any PeerTransfersOwner)?

    private static let incomingLimit = 256

    init(_ context: NodeContext, owner: any PeerTransfersOwner) {
        (self.context, self.owner) = (context, owner)
    }

    var isEmpty: Bool { outgoing.isEmpty && incoming.isEmpty }

    /// True if no transfer is running that an end of the node would break.
    var areIdle: Bool { outgoing.values.allSatisfy(\.isOver) && !incoming.values.contains { $0.isRunning } }

    /// Adds an offered resource; nil if there is no room for it.
    func add(_ offer: ControlFrame.ResourceOffer, for member: Member) -> IncomingResource? {
        guard hasRoom(), let place = OfferPlace(of: context.shares.memory(of: member.peer)) else { return nil }
        let resource = IncomingResource(offer, for: member, in: place, context, owner: self)
        incoming[offer.transfer] = resource
        return resource
    }

    /// Makes room for one more transfer. A transfer that is over is only remembered, and gives its place to a new one.
    private func hasRoom() -> Bool {
        guard incoming.count >= Self.incomingLimit else { return true }
        guard let oldest = incoming.values.filter(\.isOver).min(by: { $0.place.arrival < $1.place.arrival }) else {
            return false
        }
        oldest.forget()
        return true
    }

    func take(_ cancel: ControlFrame.TransferCancel) {
        outgoing[cancel.transfer]?.takeCancel(cancel.reason)
        incoming[cancel.transfer]?.takeCancel(cancel.reason)
    }

    func handleLostLink() {
        for transfer in outgoing.values { transfer.handleLostLink() }
        for transfer in incoming.values { transfer.handleLostLink() }
    }

    func handleNewLink(of member: Member) {
        for transfer in outgoing.values where transfer.member === member { transfer.handleNewLink() }
        for transfer in incoming.values where transfer.member === member { transfer.handleNewLink() }
    }

    func handleDeparture(of member: Member, _ reason: PartingReason) {
        for transfer in outgoing.values where transfer.member === member { transfer.handleDeparture(reason) }
        for transfer in incoming.values where transfer.member === member { transfer.handleDeparture(reason) }
    }

    /// Keeps the transfers to a member whose program has restarted, until it is in the session again.
    func keepForNewMember(_ member: Member) -> [OutgoingResource] {
        let waiting = outgoing.values.filter { $0.member === member && $0.canBeOfferedAgain }
        for transfer in waiting { transfer.awaitsNewMember = true }
        return waiting
    }

    /// Drops all transfers at the end of the node. They hold the node for as long as a program holds them.
    func removeAll() { (outgoing, incoming) = ([:], [:]) }
}

extension PeerTransfers: OutgoingResourceOwner, IncomingResourceOwner {
    func addOutgoing(_ resource: OutgoingResource, as id: TransferID) { outgoing[id] = resource }

    func removeOutgoing(_ id: TransferID) {
        if outgoing.removeValue(forKey: id) != nil, isEmpty { owner?.transfersAreGone() }
    }

    func openChannel() async throws -> DataChannel {
        guard let owner else { throw SessionError(.lost) }
        return try await owner.openChannel()
    }

    func olderTransfers(like resource: IncomingResource) -> [IncomingResource] {
        incoming.values.filter { $0 !== resource && $0.isLike(resource) }
    }

    func removeIncoming(_ id: TransferID) {
        if incoming.removeValue(forKey: id) != nil, isEmpty { owner?.transfersAreGone() }
    }
}

/// The owner of the transfers with a peer: the peer.
@Engine
protocol PeerTransfersOwner: AnyObject, Sendable {
    func openChannel() async throws -> DataChannel
    func transfersAreGone()
}
