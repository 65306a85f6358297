import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// A connection on its way to become a link, as ``LinkHandshake`` says: its steps carried out, each within its time.
@Engine
final class Greeting {
    /// A control lane whose two sides have said hello.
    struct Greeted {
        let lane: Lane
        let isDialler: Bool
        let hello: ControlFrame.Hello
        let decoder: FrameDecoder<ControlFrame>
        let peerAddress: SocketAddress?
    }

    /// What a connection that came in turns out to be.
    enum Arrival {
        case control(Greeted)
        case further(Lane, LaneFrame.LaneOpen, FrameDecoder<LaneFrame>)
    }

    private let identity: Identity
    private let hello: ControlFrame.Hello
    private let patience: LinkHandshake.Patience
    private var machine: LinkHandshake
    private var lane: Lane?
    private var timer = MachineTimer()
    private var failure: PartingReason?

    private static let readSize = 16_384
    /// More than this without a whole frame is no greeting, and of somebody who has shown nothing no more is kept.
    private static let firstFrameLimit = 16_384

    init(
        _ role: LinkHandshake.Role,
        as identity: Identity,
        saying hello: ControlFrame.Hello,
        patience: LinkHandshake.Patience
    ) {
        self.identity = identity
        self.hello = hello
        self.patience = patience
        machine = LinkHandshake(role, own: identity.peerID, patience: patience, at: .now)
    }

    // MARK: The two ways to a lane

    /// Dials, and says hello to whoever answers.
    ///
    /// - Parameter turn: shared by all who dial the same peer at the same moment
    func dial(_ address: SocketAddress, expecting peer: PeerID?, _ turn: GreetingTurn) async throws -> Greeted {
        try await explainingFailure {
            let socket = try await StreamSocket.connect(to: address, within: patience.connect, on: Engine.loop)
            perform(machine.connected(at: .now))
            let lane = try await Lane.dial(
                over: socket,
                as: identity,
                expecting: peer,
                within: patience.secure,
                on: Engine.loop
            )
            self.lane = lane
            // While another one is greeted, no time runs.
            timer.cancel()
            try await turn.take()
            do {
                return try await greet(on: lane, at: address)
            } catch {
                turn.pass()
                throw error
            }
        }
    }

    private func greet(on lane: Lane, at address: SocketAddress) async throws -> Greeted {
        try await begin(on: lane)
        try await lane.send(encodedHello)
        var decoder = FrameDecoder<ControlFrame>()
        let theirs = try await receiveHello(on: lane, &decoder)
        return Greeted(lane: lane, isDialler: true, hello: theirs, decoder: decoder, peerAddress: address)
    }

    /// Answers a connection that came in, and finds out what it is for. A hello is answered whoever says it.
    ///
    /// - Parameter secured: told when it is known whose key it is
    func answer(_ socket: StreamSocket, secured: (Lane) -> Void) async throws -> Arrival {
        try await explainingFailure {
            let lane = try await Lane.accept(socket, as: identity, within: patience.secure, on: Engine.loop)
            secured(lane)
            try await begin(on: lane)
            let first = try await lane.receive(upTo: Self.readSize)
            guard let type = first.first else { throw LaneError.lost(nil) }
            if type == LaneFrame.openType { return try await further(lane, first) }
            // The bearer of a ticket has shown no key. A further lane makes up for that with a proof; a control lane has none.
            guard !lane.isResumed else { throw SessionError(.brokeProtocol) }
            try await lane.send(encodedHello)
            var decoder = FrameDecoder<ControlFrame>()
            decoder.append(first)
            let theirs = try await receiveHello(on: lane, &decoder)
            let address = lane.remoteAddress.flatMap { remote in
                theirs.listeningPort == 0 ? nil : SocketAddress(remote.address, port: theirs.listeningPort)
            }
            return .control(
                Greeted(lane: lane, isDialler: false, hello: theirs, decoder: decoder, peerAddress: address)
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

    private var encodedHello: [UInt8] { ControlFrame.hello(hello).encoded }

    // MARK: What the machine says

    private func perform(_ actions: [LinkHandshake.Action]) {
        for action in actions {
            switch action {
            // TLS begins with the connection, hello is said where the lane's own side has it to say, and whoever asked for
            // the link gets it.
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

    /// Whatever goes wrong comes out as the reason why there is no link.
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
