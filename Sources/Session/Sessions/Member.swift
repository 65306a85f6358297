import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

/// A peer in a session, with the messages on their way in both directions. It outlives single links.
@Engine
final class Member {
    private enum Connection {
        case open(Link)
        /// There is a link again. New messages wait until the peer has reported which ones it received.
        case resuming(Link, ScheduledTimer)
        case cut
        case ended(PartingReason)
    }

    let peer: PeerID
    /// The id of the session on the wire between the two. After crossed invitations it can differ from the session's.
    let wireSession: SessionID
    /// True if this machine invited the peer.
    let wasInvitedHere: Bool
    let name: InstanceName
    var permissions: Permissions
    private unowned let session: any MemberSession
    private weak var owner: (any MemberOwner)?
    private var connection: Connection
    let outgoing: OutgoingMessages
    private let incoming: IncomingMessages
    private var streams: [HeldChannel] = []
    /// The callers that wait until the peer has all messages.
    private var deliveries: [Promise<Void>] = []

    private struct HeldChannel {
        weak var channel: DataChannel?
    }

    /// The time in which a peer with a new link must report what it received. A peer that does not has forgotten the
    /// session, or ignores this machine.
    private static let resumePatience = Duration.seconds(10)

    init(
        _ link: Link,
        as wireSession: SessionID,
        in session: any MemberSession,
        wasInvitedHere: Bool,
        permissions: Permissions,
        memory: Allowance,
        owner: any MemberOwner
    ) {
        (self.wireSession, self.session, self.owner) = (wireSession, session, owner)
        (self.wasInvitedHere, self.permissions) = (wasInvitedHere, permissions)
        (peer, name) = (link.peer, link.hello.name)
        connection = .open(link)
        incoming = IncomingMessages(of: memory)
        link.carrySession(holding: memory)
        outgoing = OutgoingMessages(in: wireSession, over: link.outbox)
    }

    /// True if the peer's memory has room for this membership.
    var hasPlace: Bool { incoming.hasPlace }

    var link: Link? {
        switch connection {
        case .open(let link), .resuming(let link, _): link
        case .cut, .ended: nil
        }
    }

    /// The reason why the peer is no longer in the session; nil while it is.
    var end: PartingReason? { if case .ended(let reason) = connection { reason } else { nil } }

    /// True while messages can be exchanged.
    var isConnected: Bool { if case .open = connection { true } else { false } }
}

/// The session of a member.
@Engine
protocol MemberSession: AnyObject, Sendable {
    func deliver(_ message: Message, from member: Member)
}

/// The owner of a member: the peer.
@Engine
protocol MemberOwner: AnyObject, Sendable {
    func drop(_ member: Member, because reason: PartingReason)
}

// MARK: - Streams

extension Member {
    /// Adds a stream, which ends with the membership.
    func add(_ channel: DataChannel) {
        guard end == nil else { return channel.abort() }
        streams.removeAll { $0.channel == nil }
        streams.append(HeldChannel(channel: channel))
    }
}

// MARK: - Deliveries

extension Member {
    /// Waits until the peer has all messages that were sent before.
    func delivered() async throws {
        if let end { throw SessionError(end) }
        let delivery = Promise<Void>()
        deliveries.append(delivery)
        ask(for: delivery)
        defer { deliveries.removeAll { $0 === delivery } }
        try await delivery.value()
    }

    /// Asks the peer for an answer. The peer takes frames in order, so it has taken all earlier ones when it answers.
    private func ask(for delivery: Promise<Void>) {
        guard case .open(let link) = connection else { return }
        link.askForAnswer { delivery.settle(.success(())) }
    }
}

// MARK: - Messages in

extension Member {
    func take(_ message: ControlFrame.Message) throws {
        if let whole = try incoming.take(message) { deliver(whole) }
    }

    func take(_ part: ControlFrame.MessagePart) throws {
        if let whole = try incoming.take(part) { deliver(whole) }
    }

    private func deliver(_ whole: MessageAssembler.Whole) {
        // A message without permission is taken and dropped, so that it does not delay the next ones.
        guard permissions.contains(.messages) else { return noteConsumed() }
        session.deliver(Message(peer: peer, bytes: Array(whole.bytes), isReliable: true), from: self)
    }

    /// Takes a message that may get lost. If there is no room for it, it is lost.
    func takeLoose(_ bytes: ArraySlice<UInt8>) {
        guard incoming.takeLoose(bytes.count) else { return }
        session.deliver(Message(peer: peer, bytes: Array(bytes), isReliable: false), from: self)
    }

    /// Handles that the program has taken a message. Reliable ones are taken in order.
    func noteConsumed(_ message: Message) {
        if message.isReliable { noteConsumed() } else { incoming.tookLoose(message.bytes.count) }
    }

    private func noteConsumed() {
        guard let consumed = incoming.consumeNext() else { return }
        link?.send(.messageAck(.init(session: wireSession, consumed: consumed)))
    }
}

// MARK: - Links that go and come

extension Member {
    /// Handles a lost link: messages wait.
    func cut() {
        switch connection {
        case .open: break
        case .resuming(_, let timer): timer.cancel()
        case .cut, .ended: return
        }
        connection = .cut
        outgoing.cut()
        incoming.cut()
    }

    /// Handles a new link: the peer learns which messages arrived whole.
    func resume(over link: Link) {
        guard end == nil else { return }
        cut()
        let timer = Engine.schedule(at: .now + Self.resumePatience) { [weak self] in
            guard let self, case .resuming(let waiting, _) = self.connection, waiting === link else { return }
            self.owner?.drop(self, because: .lost)
        }
        connection = .resuming(link, timer)
        link.send(.resume(.init(session: wireSession, received: incoming.received)))
        if let consumed = incoming.takeAck() {
            link.send(.messageAck(.init(session: wireSession, consumed: consumed)))
        }
    }

    /// Takes the number of messages that arrived whole at the peer, and sends the others again.
    func take(_ resume: ControlFrame.Resume) throws {
        guard case .resuming(let link, let timer) = connection else {
            throw ProtocolViolation("message.unexpected-resume", "the peer resumed without a cut")
        }
        try outgoing.resume(received: resume.received, over: link.outbox)
        timer.cancel()
        connection = .open(link)
        for delivery in deliveries { ask(for: delivery) }
    }

    /// Ends the membership, and all calls that wait for it.
    func leave(because reason: PartingReason) {
        switch connection {
        case .open, .cut: break
        case .resuming(_, let timer): timer.cancel()
        case .ended: return
        }
        connection = .ended(reason)
        for stream in streams { stream.channel?.abort() }
        streams = []
        outgoing.end(because: reason)
        for delivery in deliveries { delivery.settle(.failure(SessionError(reason))) }
    }
}
