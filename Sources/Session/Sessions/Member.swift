import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

/// A peer in a session: what is on its way to it and from it, which outlives single links.
@Engine
final class Member {
    let peer: PeerID
    /// What the session is called on the wire between the two. After crossed invitations that is not always its own id.
    let wireSession: SessionID
    /// Who invited whom.
    let wasInvitedHere: Bool
    unowned let session: Session
    let name: InstanceName
    var permissions: Permissions
    private(set) var link: Link?

    /// What is on its way to it.
    let outgoing: OutgoingMessages
    private let incoming: IncomingMessages
    /// Why it is not in the session any more.
    private(set) var end: PartingReason?
    private var streams: [HeldChannel] = []

    private struct HeldChannel {
        weak var channel: LaneChannel?
    }
    /// After a cut nothing new is sent until the peer has said what it received.
    private var awaitsResume = false
    private var resumption: ScheduledTimer?

    /// How long a peer that is linked again may take to say what it received. One that does not has forgotten the session,
    /// or wants to be left alone.
    private static let resumePatience = Duration.seconds(10)
    /// Who waits for the peer to have everything.
    private var deliveries: [Promise<Void>] = []

    init(
        _ peer: PeerID,
        as wireSession: SessionID,
        in session: Session,
        wasInvitedHere: Bool,
        permissions: Permissions,
        over link: Link
    ) {
        self.peer = peer
        self.wireSession = wireSession
        self.session = session
        self.wasInvitedHere = wasInvitedHere
        self.permissions = permissions
        self.link = link
        name = link.hello.name
        let memory = session.node.shares.memory(of: peer)
        incoming = IncomingMessages(of: memory)
        link.carriesSession(holding: memory)
        outgoing = OutgoingMessages(in: wireSession, over: link.outbox)
        guard !incoming.hasPlace else { return }
        session.node.crew.add { session.node.drop(self, because: .full) }
    }

    /// Whether messages go back and forth now.
    var isConnected: Bool { link != nil && !awaitsResume && end == nil }
}

// MARK: - Streams

extension Member {
    /// Streams end with the membership, whoever holds them.
    func holds(_ channel: LaneChannel) {
        guard end == nil else { return channel.abort() }
        streams.removeAll { $0.channel == nil }
        streams.append(HeldChannel(channel: channel))
    }
}

// MARK: - Deliveries

extension Member {
    /// Waits until the peer has everything that was sent before.
    func delivered() async throws {
        if let end { throw SessionError(end) }
        let delivery = Promise<Void>()
        deliveries.append(delivery)
        ask(for: delivery)
        defer { deliveries.removeAll { $0 === delivery } }
        try await delivery.value()
    }

    /// Frames are taken in order, so the answer to one that is sent now says that those before it have been.
    private func ask(for delivery: Promise<Void>) {
        guard let link, !awaitsResume else { return }
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
        // What is not permitted is taken and dropped, so that what follows is not held up.
        guard permissions.contains(.messages) else { return consumedNext() }
        session.deliver(Message(peer: peer, bytes: Array(whole.bytes), isReliable: true), from: self)
    }

    /// A message that may get lost has come. Where there is no room for it, it is lost.
    func takeLoose(_ bytes: ArraySlice<UInt8>) {
        guard incoming.takeLoose(bytes.count) else { return }
        session.deliver(Message(peer: peer, bytes: Array(bytes), isReliable: false), from: self)
    }

    /// The application has taken the oldest of the messages that came, or one that could have got lost.
    func consumed(_ message: Message) {
        if message.isReliable { consumedNext() } else { incoming.tookLoose(message.bytes.count) }
    }

    private func consumedNext() {
        guard let consumed = incoming.consumeNext() else { return }
        link?.send(.messageAck(.init(session: wireSession, consumed: consumed)))
    }
}

// MARK: - Links that go and come

extension Member {
    /// The link is gone; messages wait.
    func cut() {
        guard link != nil else { return }
        link = nil
        outgoing.cut()
        awaitsResume = true
        incoming.cut()
    }

    /// There is a link again: the peer is told what came whole.
    func resume(over link: Link) {
        if self.link != nil { cut() }
        self.link = link
        link.carriesSession(holding: session.node.shares.memory(of: peer))
        outgoing.cut()
        session.node.giveAccount(over: link)
        awaitsResume = true
        resumption?.cancel()
        resumption = Engine.schedule(at: .now + Self.resumePatience) { [weak self] in
            guard let self, self.awaitsResume, self.link === link else { return }
            self.session.node.drop(self, because: .lost)
        }
        link.send(.resume(.init(session: wireSession, received: incoming.received)))
        if let consumed = incoming.takeAck() {
            link.send(.messageAck(.init(session: wireSession, consumed: consumed)))
        }
    }

    /// The peer says what came whole there; the rest is sent again.
    func take(_ resume: ControlFrame.Resume) throws {
        guard awaitsResume else {
            throw ProtocolViolation("message.unexpected-resume", "the peer resumed what was not cut")
        }
        try outgoing.resume(received: resume.received, over: link?.outbox)
        awaitsResume = false
        resumption?.cancel()
        guard link != nil else { return }
        for delivery in deliveries { ask(for: delivery) }
    }

    /// It is not in the session any more: whoever waits is told.
    func leave(because reason: PartingReason) {
        guard end == nil else { return }
        end = reason
        link = nil
        for stream in streams { stream.channel?.abort() }
        streams = []
        resumption?.cancel()
        outgoing.end(because: reason)
        for delivery in deliveries { delivery.settle(.failure(SessionError(reason))) }
    }
}
