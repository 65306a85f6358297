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
    /// The engine's session with this peer, and the progress of joining.
    var progress = Progress()
    /// The reason why it left.
    var ending: PartingReason?
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

    /// The facts that end with one session of the engine, and begin again with the next.
    struct Progress {
        /// The session, once it exists.
        fileprivate(set) var pair: Session?
        /// The node of that session. Work with the session holds it, as the app may release the node at any time.
        fileprivate(set) var node: Node?
        var hasSentHandshake = false
        /// True after both sides have sent their handshake.
        var hasJoined = false
        /// True if the peer has sent the list of known peers that have not joined.
        var hasSentMissingPeers = false
        /// The first parts of a message that is still arriving.
        var unfinished = Data()
    }

    init(_ peer: MCPeerID) {
        self.peer = peer
    }

    var pair: Session? { progress.pair }
    var node: Node? { progress.node }

    /// True if it counts towards the maximum number of peers.
    var takesPlace: Bool { state != .notConnected && !isSought }

    func begin(_ pair: Session, at node: Node, _ work: @escaping @Engine @Sendable () async -> Void) {
        awaitNext()
        accepted = nil
        (progress.pair, progress.node) = (pair, node)
        add(work)
    }

    /// Releases the engine's session, because another one is about to replace it.
    func awaitNext() {
        end(keepingSendQueue: true)
        progress = Progress()
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
        (progress.pair, progress.node) = (nil, nil)
    }
}
