import Glibc
import Ledger
package import LinuxPlatform
package import Session
import SessionRules
package import Vocabulary

/// This machine in the household. It accepts other machines by policy or asks the user, receives files and messages,
/// and calls other machines for local programs.
///
/// It prints nothing. Events appear on its ``events``; the user's commands arrive as calls of its methods.
@Engine
package final class Household {
    /// Takes the bytes of a stream as they come.
    package typealias Sink = @Sendable ([UInt8]) async throws -> Void

    /// Counts the work of another module.
    package typealias Counter = @Engine @Sendable () async -> [Metric]

    /// Lists the shared games with their states.
    package typealias GameLister = @Engine @Sendable () async -> [GameStateInfo]

    package nonisolated let node: Node
    /// The folder of received files and streams.
    package nonisolated let folder: InboxFolder
    /// The events.
    package let events = EventBus()
    let pendingInvitations: PendingInvitations
    /// The time at which the household began.
    package nonisolated let since = ContinuousClock.now
    private var takers: [any SessionHandler] = []
    private var counters: [Counter] = []
    private var gameLister: GameLister = { [] }
    /// Decisions about machines that others removed. Set before ``run()``.
    package var vouching = Vouching()
    private var heeders: [@Engine @Sendable () -> Void] = []
    private var calls: [SessionID: Call] = [:]
    private var lastTransfer = 0
    private let ending = Resumption<(any Error)?>()
    private var receptions: [StreamReception] = []
    /// True if the last event about visibility said that other machines can't find this one.
    private var isHidden = false

    package init(_ node: Node, into folder: InboxFolder) {
        self.node = node
        self.folder = folder
        pendingInvitations = PendingInvitations(node, events)
        takers = [BenchEcho(node)]
        events.whenPut = { [weak self] in self?.hasWorked() }
    }

    /// Hands over the sessions of one purpose. Call it before ``run()``.
    package func register(_ taker: any SessionHandler) { takers.append(taker) }

    /// Adds the numbers of another module to those of the household.
    package func count(_ counter: @escaping Counter) { counters.append(counter) }

    /// Sets the source of the shared games in the status of the household.
    package func listGames(_ lister: @escaping GameLister) { gameLister = lister }

    /// The shared games with their states.
    package func games() async -> [GameStateInfo] { await gameLister() }

    /// Registers a callback for any activity, by peers or by local programs. Called often: keep it cheap.
    package func whenWorked(_ call: @escaping @Engine @Sendable () -> Void) { heeders.append(call) }

    /// Notes activity.
    package func hasWorked() {
        for call in heeders { call() }
    }

    /// The metrics of all registered parts.
    package func counted() async -> [Metric] {
        var metrics: [Metric] = []
        for counter in counters { metrics += await counter() }
        return metrics
    }

    /// Sends an event to all readers of the event bus.
    package func tell(_ line: DaemonLine) { events.put(line) }

    /// The number of the next transfer, to distinguish transfers at the same time.
    package func nextTransfer() -> Int {
        lastTransfer += 1
        return lastTransfer
    }

    /// Runs until it is cancelled or fails; returns the failure.
    ///
    /// Open sessions still receive until the node has ended: their senders count on this machine.
    package func run() async throws -> (any Error)? {
        try await withThrowingTaskGroup(of: Ending?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await self.followNode()
                return nil
            }
            group.addTask {
                await self.tidy()
                return nil
            }
            group.addTask { Ending(error: try await self.ending.valueUnlessCancelled()) }
            while let ending = try await group.next() {
                if let ending { return ending.error }
            }
            return CancellationError()
        }
    }

    private struct Ending {
        let error: (any Error)?
    }

    private func tidy() async {
        guard folder.refusal == nil else { return }
        do {
            try await PartialFiles.removeStale(in: folder.path)
        } catch {
            tell(.trouble("what was begun long ago is not removed: \(error)"))
        }
    }

    private func followNode() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while let event = await node.events.next() {
                switch event {
                case .joined(let session, let peer):
                    if let taker = taker(of: session.invitationContext) {
                        group.addTask {
                            await taker.take(session, from: peer)
                            await self.hasWorked()
                        }
                        continue
                    }
                    await pendingInvitations.letIn(peer, session)
                    followToTheEnd(session)
                // The caller follows the session.
                case .letIntoOwn(_, let session, let peer): await pendingInvitations.letIn(peer, session)
                case .invited(let invitation): await ask(invitation)
                case .invitationOver(let id, let reason, let missing): pendingInvitations.isOver(id, reason, missing)
                case .code(let invitation, let peer, let name, let code):
                    call(of: invitation)?.show(code, of: invitation, PeerTag(peer, name))
                case .linked(let peer, let name):
                    for call in calls.values { call.names[peer] = name }
                    for taker in takers { taker.reaches(peer) }
                    tell(.machineList)
                case .keyChanged(let name, let known, let now):
                    tellCallers(.trouble(SessionWording.keyChanged(name, known, now)))
                case .visibility(let visibility): tell(of: visibility)
                case .trouble(let error): tellCallers(.trouble("\(error)"))
                case .delivered(let invitation, let peer): call(of: invitation)?.wasDelivered(invitation, peer)
                case .unlinked(let peer, _):
                    for taker in takers { taker.loses(peer) }
                    tell(.machineList)
                case .machinesChanged: tell(.machineList)
                }
            }
        }
    }

    private func followToTheEnd(_ session: Session) {
        node.tasks.add {
            do {
                try await self.follow(session)
            } catch {
                self.ending.resume(with: .failure(error))
            }
        }
    }

    private func taker(of context: [UInt8]) -> (any SessionHandler)? { takers.first { $0.context == context } }

    /// Asks the user, unless the other machine opens the session by itself.
    private func ask(_ invitation: ReceivedInvitation) async {
        guard taker(of: invitation.context) == nil else { return node.declineUnasked(invitation.id) }
        let line = await pendingInvitations.ask(invitation)
        // A user who invites the same machine right now can answer at that terminal.
        invitation.ownSession.flatMap { calls[$0] }?.puts(line)
    }

    private func tell(of visibility: Visibility) {
        let own = node.configuration.name
        let remarkable = DaemonLine.visibility(visibility, of: own)
        if let line = remarkable ?? (isHidden ? .visible(as: own) : nil) { tell(line) }
        isHidden = remarkable?.isTrouble == true
    }

    /// Sends the line to callers that wait for a peer as well.
    private func tellCallers(_ line: DaemonLine) {
        tell(line)
        for call in calls.values { call.tellAside(line) }
    }

    // MARK: Calls

    func begin(_ call: Call) { calls[call.session.id] = call }

    func end(_ call: Call) { calls[call.session.id] = nil }

    /// The call that shows the code of that invitation.
    func call(of invitation: InvitationID) -> Call? { node.session(of: invitation).flatMap { calls[$0.id] } }

    // MARK: Sessions

    /// Handles the events of a session.
    func follow(_ session: Session, for call: Call? = nil) async throws {
        // A peer that has gone still has its name in reports, until the session is over.
        var names: [PeerID: InstanceName] = [:]
        func tag(_ peer: PeerID) -> PeerTag { PeerTag(peer, session.name(of: peer) ?? names[peer]) }
        try await withThrowingDiscardingTaskGroup { group in
            while let event = await session.events.next() {
                switch event {
                case .message(let message): try await take(message, from: tag(message.peer), call)
                case .stream(let stream):
                    let peer = tag(stream.peer)
                    group.addTask { try await self.take(stream, peer) }
                case .resource(let resource):
                    let peer = tag(resource.peer)
                    // The transfer continues after the end of the call in which it was offered.
                    node.tasks.add { await ResourceReceiver(self, resource, peer, into: self.folder).run() }
                case .joined(let peer, let name):
                    names[peer] = name
                    tell(DaemonLine.machine(.joined, PeerTag(peer, name), nil))
                    try await call?.isIn(peer)
                case .away(let peer, let reason):
                    tell(.machine(.away, tag(peer), nil, because: reason.word))
                    try await call?.isAway(peer, reason)
                case .returned(let peer):
                    tell(DaemonLine.machine(.returned, tag(peer), nil))
                    try await call?.isBack(peer)
                case .departed(let peer, let reason):
                    tell(.machine(.left, tag(peer), nil, because: reason.word))
                    try await call?.hasLeft(peer, reason)
                    if call == nil, session.peers.isEmpty { session.leave() }
                }
            }
        }
    }

    // MARK: Streams

    /// Waits for the next stream of a name. The stream then goes only to this reception.
    ///
    /// - Parameter peer: the only peer that may stream it; nil for any accepted peer
    package func expect(_ name: Label, from peer: PeerID?) -> StreamReception {
        let reception = StreamReception(of: self, name, from: peer)
        receptions.append(reception)
        return reception
    }

    /// Ends the wait for a stream.
    func withdraw(_ reception: StreamReception) { receptions.removeAll { $0 === reception } }

    func take(_ stream: IncomingStream, _ peer: PeerTag) async throws {
        while let reception = receptions.first(where: { $0.fits(stream) }) {
            withdraw(reception)
            if reception.give(stream, peer) { return }
        }
        await StreamReceiver(self, stream, peer).toFile(in: folder)
    }

    private func take(_ message: Message, from peer: PeerTag, _ call: Call?) async throws {
        do {
            // The message is stored before it is shown, so that the user can find it again.
            try await node.ledger.inbox.enter(
                .message(message.bytes),
                from: peer.id,
                called: peer.name,
                size: ByteCount(UInt64(message.bytes.count))
            )
        } catch {
            tell(.trouble("a message is not kept: \(error)"))
        }
        let line = DaemonLine.message(message.bytes, from: peer)
        tell(line)
        try await call?.heard(line)
    }
}
