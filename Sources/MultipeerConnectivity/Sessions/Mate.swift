import Foundation
import LinuxPlatform
import Session
import Vocabulary

/// One peer of a session, from the first attempt to get together until it is out.
@Engine
final class Mate {
    let peer: MCPeerID
    let outbox = Outbox()
    var state = MCSessionState.notConnected
    /// What the two share in the engine, once they do.
    private(set) var pair: Session?
    /// What the pair belongs to. Whatever is done with a pair holds its node, which may else be gone with the app's last word about it.
    private(set) var node: Node?
    /// Whether both sides have said who they are; from then on it is in, away or not.
    var isIn = false
    /// Why it is out.
    var ending: PartingReason?
    var hasSaidHello = false
    /// Whether it has said whom it lacks, of those who it had said were known to it.
    var hasSaidWhoIsMissing = false
    /// The beginning of a message whose rest is on its way.
    var unfinished = Data()
    /// What it takes to bring it in, and what it has going.
    var attempt: Task<Void, Never>?
    /// Which of its invitations was accepted last, until what follows from that is there.
    var accepted: InvitationID?
    /// With what the app has let it in, its certificate or none, until it is in: nobody is asked the same twice.
    var approval: Bool?
    /// Whether an invitation from here is on its way to it.
    var isInvited = false
    /// Whether it is only tried to be met: it takes no one's place before it is there.
    var isSought = false
    /// What is done as long as it is together with this side, by number, until it is done.
    private(set) var working: [Int: Task<Void, Never>] = [:]
    private var begun = 0

    init(_ peer: MCPeerID) {
        self.peer = peer
    }

    /// Whether it counts among those who may be in.
    var takesPlace: Bool { state != .notConnected && !isSought }

    func begin(_ pair: Session, at node: Node, _ work: @escaping @Engine @Sendable () async -> Void) {
        awaitNext()
        accepted = nil
        self.pair = pair
        self.node = node
        add(work)
    }

    /// Lets go of what the two share, for something else is about to take its place.
    func awaitNext() {
        end(keepingOutbox: true)
        isIn = false
        hasSaidHello = false
        hasSaidWhoIsMissing = false
        unfinished = Data()
    }

    /// Does something as long as it is together with the peer.
    func add(_ work: @escaping @Engine @Sendable () async -> Void) {
        let node = node
        begun += 1
        let number = begun
        working[number] = Engine.begin { [weak self] in
            await work()
            self?.working[number] = nil
            withExtendedLifetime(node) {}
        }
    }

    /// Lets go of what there is with it.
    func end(keepingOutbox: Bool = false) {
        if !keepingOutbox {
            attempt?.cancel()
            outbox.end()
        }
        outbox.pause()
        for task in working.values { task.cancel() }
        working = [:]
        pair?.leave()
        (pair, node) = (nil, nil)
    }
}
