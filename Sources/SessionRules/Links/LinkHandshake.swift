public import Vocabulary

/// A connection on its way to become a link: connected, secured, greeted. `docs/machines/link-handshake.md` has its table.
public struct LinkHandshake: Sendable {
    /// Which side this is.
    public enum Role: Hashable, Sendable {
        /// This machine dialled; the peer that it wants, where it knows its key.
        case dialler(expecting: PeerID?)
        /// The connection came in.
        case answerer
    }

    /// How far it has come.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// TCP is being connected.
        case connecting
        /// TLS is shaking hands.
        case securing
        /// The key is known; Hello is due.
        case greeting
        /// Over: there is a link.
        case established
        /// Over: there is none.
        case failed
    }

    /// What went wrong below.
    public enum Fault: Hashable, Sendable {
        /// The connection was refused, had no route, or broke before there was a key.
        case connection
        /// TLS found no common version or protocol name.
        case noCommonVersion
        /// The bytes are not those of the protocol.
        case unreadable
        /// The peer closed the connection, with the reason of its Bye where it said one.
        case closed(PartingReason?)
        /// Another connection to the same peer was there first.
        case replaced
        /// This side gave it up.
        case abandoned(PartingReason)
    }

    /// What the caller does, in order.
    public enum Action: Hashable, Sendable {
        /// Begin TLS.
        case secure
        /// Send Hello.
        case sendHello
        /// There is a link to this peer, unless ``DuplicateLinks`` says otherwise.
        case establish(PeerID)
        /// Close the connection; this is why there is no link.
        case fail(PartingReason)
    }

    /// How long each step may take.
    public struct Patience: Hashable, Sendable {
        /// For TCP.
        public var connect: Duration
        /// For TLS.
        public var secure: Duration
        /// For Hello.
        public var greet: Duration

        /// Five seconds each, if nothing else is said.
        public init(
            connect: Duration = .seconds(5),
            secure: Duration = .seconds(5),
            greet: Duration = .seconds(5)
        ) {
            self.connect = connect
            self.secure = secure
            self.greet = greet
        }
    }

    /// How far it has come.
    public private(set) var state: State
    /// Who the peer is, once its key is known.
    public private(set) var peer: PeerID?
    /// When ``deadlinePassed(at:)`` is due; nil once it is over.
    public private(set) var deadline: ContinuousClock.Instant?
    /// Which side this is.
    public let role: Role

    private let own: PeerID
    private let patience: Patience

    /// Who dialled begins by connecting; who answered begins by securing.
    public init(_ role: Role, own: PeerID, patience: Patience = Patience(), at now: ContinuousClock.Instant) {
        self.role = role
        self.own = own
        self.patience = patience
        switch role {
        case .dialler: (state, deadline) = (.connecting, now + patience.connect)
        case .answerer: (state, deadline) = (.securing, now + patience.secure)
        }
    }

    /// TCP is connected.
    public mutating func connected(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .connecting:
            state = .securing
            deadline = now + patience.secure
            return [.secure]
        case .failed: return []
        case .securing, .greeting, .established: preconditionFailure("a connection connects once")
        }
    }

    /// TLS is through.
    /// - Parameter peer: whose key it was
    public mutating func secured(by peer: PeerID, at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .securing:
            self.peer = peer
            if let reason = misgiving(about: peer) { return fail(reason) }
            state = .greeting
            deadline = now + patience.greet
            return [.sendHello]
        case .failed: return []
        case .connecting, .greeting, .established: preconditionFailure("a connection is secured once, when connected")
        }
    }

    /// Hello came.
    public mutating func receivedHello() throws(ProtocolViolation) -> [Action] {
        switch state {
        case .greeting:
            guard let peer else { preconditionFailure("a secured connection has a peer") }
            state = .established
            deadline = nil
            return [.establish(peer)]
        case .established: throw ProtocolViolation("link.second-hello", "the peer said hello twice")
        case .failed: return []
        case .connecting, .securing: preconditionFailure("nothing is read before a connection is secured")
        }
    }

    /// Any other frame came. It is no business of this machine once there is a link.
    public mutating func receivedOther() throws(ProtocolViolation) -> [Action] {
        switch state {
        case .greeting: throw ProtocolViolation("link.no-hello", "the peer spoke before it said hello")
        case .established, .failed: return []
        case .connecting, .securing: preconditionFailure("nothing is read before a connection is secured")
        }
    }

    /// Something went wrong below, or the peer said Bye.
    public mutating func failed(_ fault: Fault) -> [Action] {
        switch state {
        case .connecting, .securing, .greeting: fail(reason(of: fault))
        case .established, .failed: []
        }
    }

    /// Time is up. Who can't even be connected is unreachable; who connects and then dawdles has timed out.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        return fail(state == .connecting ? .unreachable : .timedOut)
    }

    /// An address that was a peer's may by now be this machine's or another's.
    private func misgiving(about peer: PeerID) -> PartingReason? {
        if peer == own { return .unreachable }
        switch role {
        case .dialler(let expected?): return peer == expected ? nil : .keyChanged
        case .dialler(nil), .answerer: return nil
        }
    }

    private func reason(of fault: Fault) -> PartingReason {
        switch fault {
        case .connection: .unreachable
        case .noCommonVersion: .wrongVersion
        case .unreadable: .brokeProtocol
        case .closed(let reason): reason ?? .unreachable
        case .replaced: .replaced
        case .abandoned(let reason): reason
        }
    }

    private mutating func fail(_ reason: PartingReason) -> [Action] {
        state = .failed
        deadline = nil
        return [.fail(reason)]
    }
}
