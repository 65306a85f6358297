import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// Carries out the steps of a ``LinkHandshake``, each within its time limit.
@Engine
final class LinkHandshaker {
    /// The purpose of a connection from outside.
    enum Arrival {
        case control(HandshakeResult)
        case further(Lane, LaneFrame.LaneOpen, FrameDecoder<LaneFrame>)
    }

    private let context: NodeContext
    private var machine: LinkHandshake
    private var lane: Lane?
    private var timer = MachineTimer()
    private var failure: PartingReason?

    private static let readSize = 16_384
    /// The limit of bytes without a whole frame: more is no handshake. An unknown machine gets only this much memory.
    private static let firstFrameLimit = 16_384

    init(_ role: LinkHandshake.Role, _ context: NodeContext) {
        self.context = context
        machine = LinkHandshake(role, own: context.id, patience: context.configuration.patience.handshake, at: .now)
    }

    private var patience: LinkHandshake.Patience { context.configuration.patience.handshake }

    // MARK: The two directions

    /// Dials, and sends Hello to the machine that answers.
    ///
    /// - Parameter mutex: one for all addresses of the same peer
    func dial(
        _ address: SocketAddress,
        expecting peer: PeerID?,
        _ mutex: HandshakeMutex
    ) async throws -> HandshakeResult {
        try await explainingFailure {
            let socket = try await StreamSocket.connect(to: address, within: patience.connect, on: Engine.loop)
            perform(machine.connected(at: .now))
            let lane = try await Lane.dial(
                over: socket,
                as: context.identity,
                expecting: peer,
                within: patience.secure,
                on: Engine.loop
            )
            self.lane = lane
            // No time limit runs during another handshake.
            timer.cancel()
            try await mutex.lock()
            do {
                return try await sayHello(on: lane, at: address)
            } catch {
                mutex.unlock()
                throw error
            }
        }
    }

    private func sayHello(on lane: Lane, at address: SocketAddress) async throws -> HandshakeResult {
        try await begin(on: lane)
        try await lane.send(encodedHello)
        var decoder = FrameDecoder<ControlFrame>()
        let theirs = try await receiveHello(on: lane, &decoder)
        return HandshakeResult(lane: lane, isDialler: true, hello: theirs, decoder: decoder, peerAddress: address)
    }

    /// Answers a connection from outside, and finds its purpose. Each machine that sends Hello gets an answer.
    ///
    /// - Parameter secured: called as soon as the key of the other end is known
    func answer(_ socket: StreamSocket, secured: (Lane) -> Void) async throws -> Arrival {
        try await explainingFailure {
            let lane = try await Lane.accept(socket, as: context.identity, within: patience.secure, on: Engine.loop)
            secured(lane)
            try await begin(on: lane)
            let first = try await lane.receive(upTo: Self.readSize)
            guard let type = first.first else { throw LaneError.lost(nil) }
            if type == LaneFrame.openType { return try await further(lane, first) }
            // The bearer of a ticket has shown no key. A data channel proves it later; a control channel has no proof.
            guard !lane.isResumed else { throw SessionError(.brokeProtocol) }
            try await lane.send(encodedHello)
            var decoder = FrameDecoder<ControlFrame>()
            decoder.append(first)
            let theirs = try await receiveHello(on: lane, &decoder)
            let address = lane.remoteAddress.flatMap { remote in
                theirs.listeningPort == 0 ? nil : SocketAddress(remote.address, port: theirs.listeningPort)
            }
            return .control(
                HandshakeResult(lane: lane, isDialler: false, hello: theirs, decoder: decoder, peerAddress: address)
            )
        }
    }

    // MARK: Steps

    private func begin(on lane: Lane) async throws {
        self.lane = lane
        perform(machine.secured(by: lane.peerID, at: .now))
        try check()
    }

    private func receiveHello(
        on lane: Lane,
        _ decoder: inout FrameDecoder<ControlFrame>
    ) async throws -> ControlFrame.Hello {
        let frame: ControlFrame = try await receive(on: lane, &decoder)
        switch frame {
        case .hello(let hello):
            perform(try machine.receivedHello())
            try check()
            return hello
        case .bye(let reason): throw SessionError(reason)
        default:
            perform(try machine.receivedOther())
            throw SessionError(.brokeProtocol)
        }
    }

    private func further(_ lane: Lane, _ first: [UInt8]) async throws -> Arrival {
        var decoder = FrameDecoder<LaneFrame>()
        decoder.limitHeld(to: 0)
        decoder.append(first)
        guard case .open(let open) = try await receive(on: lane, &decoder) else { throw SessionError(.brokeProtocol) }
        timer.cancel()
        return .further(lane, open, decoder)
    }

    private func receive<Frame>(on lane: Lane, _ decoder: inout FrameDecoder<Frame>) async throws -> Frame {
        while true {
            if let frame = try decoder.next() { return frame }
            guard decoder.heldByteCount < Self.firstFrameLimit else { throw SessionError(.brokeProtocol) }
            let bytes = try await lane.receive(upTo: Self.readSize)
            guard !bytes.isEmpty else { throw LaneError.lost(nil) }
            decoder.append(bytes)
        }
    }

    private var encodedHello: [UInt8] { ControlFrame.hello(context.hello).encoded }

    // MARK: Actions

    private func perform(_ actions: [LinkHandshake.Action]) {
        for action in actions {
            switch action {
            // The callers do these: TLS begins with the connection, each side sends Hello in its turn, and the caller
            // gets the result.
            case .secure, .sendHello, .establish: break
            case .fail(let reason): fail(because: reason)
            }
        }
        setTimer()
    }

    private func fail(because reason: PartingReason) {
        failure = failure ?? reason
        lane?.abort()
    }

    private func check() throws {
        if let failure { throw SessionError(failure) }
    }

    private func setTimer() {
        timer.set(for: self, at: machine.deadline) { $0.perform($0.machine.deadlinePassed(at: .now)) }
    }

    /// Turns each failure into the reason why there is no link.
    private func explainingFailure<Value>(_ body: () async throws -> Value) async throws -> Value {
        defer { timer.cancel() }
        do {
            return try await body()
        } catch let error as CancellationError {
            lane?.abort()
            throw error
        } catch {
            perform(machine.failed(Self.fault(of: error)))
            lane?.abort()
            throw SessionError(strangeAnswer: error) ?? SessionError(failure ?? .unreachable)
        }
    }

    private static func fault(of error: any Error) -> LinkHandshake.Fault {
        switch error {
        case let error as SessionError: .abandoned(error.reason ?? .unreachable)
        case let error as WireError: .abandoned(error.partingReason)
        case is ProtocolViolation: .unreadable
        case LaneError.keyChanged: .abandoned(.keyChanged)
        case LaneError.noCommonVersion, LaneError.refused: .noCommonVersion
        case LaneError.notAPeer, LaneError.badCertificate: .abandoned(.unreachable)
        case LaneError.timedOut: .abandoned(.timedOut)
        default: .connection
        }
    }
}
