public import Vocabulary

/// A connection that becomes a link: TCP, then TLS, then Hello. `docs/machines/link-handshake.md` has its table.
public struct LinkHandshake: Sendable {
    /// The side that this machine is.
    public enum Role: Hashable, Sendable {
        /// This machine dialled, and expects this peer if it knows its key.
        case dialler(expecting: PeerID?)
        /// The connection came in.
        case answerer
    }

    /// The step that it has reached.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// TCP connects.
        case connecting
        /// TLS does its handshake.
        case securing
        /// The key is known, and Hello is due.
        case greeting
        /// Over: there is a link.
        case established
        /// Over: there is none.
        case failed
    }

    /// A fault of the layers below.
    public enum Fault: Hashable, Sendable {
        /// The connection was refused, had no route, or broke before the key was known.
        case connection
        /// TLS found no common version or protocol name.
        case noCommonVersion
        /// The bytes are not those of the protocol.
        case unreadable
        /// The peer closed the connection, with the reason of its Bye if it sent one.
        case closed(PartingReason?)
        /// Another connection to the same peer was there first.
        case replaced
        /// This side abandoned it.
        case abandoned(PartingReason)
    }

    /// A step that the caller does. Several are done in order.
    public enum Action: Hashable, Sendable {
        /// Begin TLS.
        case secure
        /// Send Hello.
        case sendHello
        /// There is a link to this peer, unless ``DuplicateLinks`` says otherwise.
        case establish(PeerID)
        /// Close the connection, for this reason.
        case fail(PartingReason)
    }

    /// The time limits of the steps.
    public struct Patience: Hashable, Sendable {
        /// For TCP.
        public var connect: Duration
        /// For TLS.
        public var secure: Duration
        /// For Hello.
        public var greet: Duration

        /// The default is five seconds each.
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

    /// The step that it has reached.
    public private(set) var state: State
    /// The peer, once its key is known.
    public private(set) var peer: PeerID?
    /// The time at which ``deadlinePassed(at:)`` is due; nil once it is over.
    public private(set) var deadline: ContinuousClock.Instant?
    /// The side that this machine is.
    public let role: Role

    private let own: PeerID
    private let patience: Patience

    /// The dialler begins with TCP, the answerer with TLS.
    public init(_ role: Role, own: PeerID, patience: Patience = Patience(), at now: ContinuousClock.Instant) {
        self.role = role
        self.own = own
        self.patience = patience
        switch role {
        case .dialler: (state, deadline) = (.connecting, now + patience.connect)
        case .answerer: (state, deadline) = (.securing, now + patience.secure)
        }
    }

    /// Handles the TCP connection.
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

    /// Handles the end of the TLS handshake.
    ///
    /// - Parameter peer: the peer whose key was proven
    public mutating func secured(by peer: PeerID, at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .securing:
            self.peer = peer
            if let reason = doubt(about: peer) { return fail(reason) }
            state = .greeting
            deadline = now + patience.greet
            return [.sendHello]
        case .failed: return []
        case .connecting, .greeting, .established: preconditionFailure("a connection is secured once, when connected")
        }
    }

    /// Handles Hello.
    public mutating func receivedHello() throws(ProtocolViolation) -> [Action] {
        switch state {
        case .greeting:
            guard let peer else { preconditionFailure("a secured connection has a peer") }
            state = .established
            deadline = nil
            return [.establish(peer)]
        case .established: throw ProtocolViolation("link.second-hello", "the peer sent Hello twice")
        case .failed: return []
        case .connecting, .securing: preconditionFailure("nothing is read before a connection is secured")
        }
    }

    /// Handles any other frame. After the link is established, this has no effect.
    public mutating func receivedOther() throws(ProtocolViolation) -> [Action] {
        switch state {
        case .greeting: throw ProtocolViolation("link.no-hello", "the peer sent a frame before Hello")
        case .established, .failed: return []
        case .connecting, .securing: preconditionFailure("nothing is read before a connection is secured")
        }
    }

    /// Handles a fault of the layers below, or Bye.
    public mutating func failed(_ fault: Fault) -> [Action] {
        switch state {
        case .connecting, .securing, .greeting: fail(reason(of: fault))
        case .established, .failed: []
        }
    }

    /// Handles the end of the wait. A peer without a TCP connection is unreachable; one that is slow after it has timed
    /// out.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        return fail(state == .connecting ? .unreachable : .timedOut)
    }

    /// The reason against this peer; nil if there is none. An address of the past may now belong to this or another
    /// machine.
    private func doubt(about peer: PeerID) -> PartingReason? {
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
