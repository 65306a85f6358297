import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// The parts of a node that its peers, sessions and transfers share.
@Engine
final class NodeContext {
    enum Phase {
        case running
        /// Running transfers may end; nothing new begins.
        case stopping
        case ended
    }

    let configuration: NodeConfiguration
    let identity: Identity
    /// The first frame that this machine sends to each peer.
    let hello: ControlFrame.Hello
    let tasks: TaskScope
    let writer: StoreWriter
    let invitationGate: InvitationGate
    private(set) lazy var shares = PeerShares(
        memory: configuration.limits.memory,
        descriptors: configuration.limits.descriptors
    ) { [weak self] peer in self?.owner?.releaseEverything(of: peer) }
    let bulkLoops: BulkLoops
    let traffic = NodeTraffic()
    var datagrams: DatagramPort?
    var tally = NodeTally()
    var phase = Phase.running
    weak var owner: (any NodeContextOwner)?
    /// Called at the end of the last transfer.
    var whenIdle: @Engine () -> Void = {}
    /// The number of channels whose last frame is on its way. A goodbye must not overtake it.
    private(set) var closingChannelCount = 0

    nonisolated var id: PeerID { identity.peerID }
    nonisolated var store: any PeerStore { writer.store }
    var isStopping: Bool { phase != .running }

    init(
        _ configuration: NodeConfiguration,
        _ identity: Identity,
        _ writer: StoreWriter,
        _ tasks: TaskScope,
        _ sockets: ListeningSockets?
    ) {
        self.configuration = configuration
        bulkLoops = BulkLoops(at: SpeedLimiters(configuration))
        self.identity = identity
        self.writer = writer
        self.tasks = tasks
        datagrams = sockets?.datagrams
        invitationGate = InvitationGate(writer)
        hello = ControlFrame.Hello(
            name: configuration.name,
            listeningPort: sockets?.connections.port ?? 0,
            datagramPort: sockets?.datagrams.port ?? 0,
            runToken: .random(in: .min ... .max)
        )
    }

    /// Closes a channel after the frames that are on their way over it. The promise settles when the peer has them, or
    /// will never have them.
    func close(_ channel: DataChannel) -> Promise<Void> {
        let closed = Promise<Void>()
        closingChannelCount += 1
        let begins = tasks.add {
            await channel.close()
            self.settle(closed)
        }
        if !begins {
            channel.abort()
            settle(closed)
        }
        return closed
    }

    private func settle(_ closed: Promise<Void>) {
        closingChannelCount -= 1
        closed.settle(.success(()))
        owner?.transferEnded()
    }
}

/// The owner of a context: the node.
@Engine
protocol NodeContextOwner: AnyObject, Sendable {
    /// Handles the end of a transfer or of its channel.
    func transferEnded()
    /// Ends everything with the peer that has held much memory for the longest time, because others need room.
    func releaseEverything(of peer: PeerID)
}
