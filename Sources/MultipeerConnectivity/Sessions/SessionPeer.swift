import Foundation
import LinuxPlatform
import Session
import Vocabulary

/// One peer of a session, from the first connection attempt until it has left.
@Engine
final class SessionPeer {
    let peer: MCPeerID
    let sendQueue = SendQueue()
    var state = MCSessionState.notConnected
    /// The engine's session with this peer, once it exists.
    private(set) var pair: Session?
    /// The node of that session. Work with the session holds it, as the app may release the node at any time.
    private(set) var node: Node?
    /// True after both sides have sent their handshake.
    var isIn = false
    /// The reason why it left.
    var ending: PartingReason?
    var hasSentHandshake = false
    /// True if it has sent the list of known peers that have not joined.
    var hasSentMissingPeers = false
    /// The first parts of a message that is still arriving.
    var unfinished = Data()
    /// The work of connecting.
    var attempt: Task<Void, Never>?
    /// The last accepted invitation, until its session arrives.
    var accepted: InvitationID?
    /// The certificate state that the app accepted, until the peer has joined: the app is not asked twice.
    var approval: Bool?
    /// True if an invitation to it is in progress.
    var isInvited = false
    /// True if this side only tries to reach it: it takes no place before it answers.
    var isSought = false
    /// Tasks that run while the peer is connected, by number.
    private(set) var working: [Int: Task<Void, Never>] = [:]
    private var begun = 0

    init(_ peer: MCPeerID) {
        self.peer = peer
    }

    /// True if it counts towards the maximum number of peers.
    var takesPlace: Bool { state != .notConnected && !isSought }

    func begin(_ pair: Session, at node: Node, _ work: @escaping @Engine @Sendable () async -> Void) {
        awaitNext()
        accepted = nil
        self.pair = pair
        self.node = node
        add(work)
    }

    /// Releases the engine's session, because another one is about to replace it.
    func awaitNext() {
        end(keepingSendQueue: true)
        isIn = false
        hasSentHandshake = false
        hasSentMissingPeers = false
        unfinished = Data()
    }

    /// Runs work while the peer is connected.
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

    /// Ends the work with it and releases its session.
    func end(keepingSendQueue: Bool = false) {
        if !keepingSendQueue {
            attempt?.cancel()
            sendQueue.end()
        }
        sendQueue.pause()
        for task in working.values { task.cancel() }
        working = [:]
        pair?.leave()
        (pair, node) = (nil, nil)
    }
}
