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
        case further(SecureChannel, ChannelFrame.Open, FrameDecoder<ChannelFrame>)
    }

    private let context: NodeContext
    private var machine: LinkHandshake
    private var channel: SecureChannel?
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
            let channel = try await SecureChannel.dial(
                over: socket,
                as: context.identity,
                expecting: peer,
                within: patience.secure,
                on: Engine.loop
            )
            self.channel = channel
            // No time limit runs during another handshake.
            timer.cancel()
            try await mutex.lock()
            do {
                return try await sayHello(on: channel, at: address)
            } catch {
                mutex.unlock()
                throw error
            }
        }
    }

    private func sayHello(on channel: SecureChannel, at address: SocketAddress) async throws -> HandshakeResult {
        try await begin(on: channel)
        try await channel.send(encodedHello)
        var decoder = FrameDecoder<ControlFrame>()
        let theirs = try await receiveHello(on: channel, &decoder)
        return HandshakeResult(channel: channel, isDialler: true, hello: theirs, decoder: decoder, peerAddress: address)
    }

    /// Answers a connection from outside, and finds its purpose. Each machine that sends Hello gets an answer.
    ///
    /// - Parameter secured: called as soon as the key of the other end is known
    func answer(_ socket: StreamSocket, secured: (SecureChannel) -> Void) async throws -> Arrival {
        try await explainingFailure {
            let channel = try await SecureChannel.accept(
                socket,
                as: context.identity,
                within: patience.secure,
                on: Engine.loop
            )
            secured(channel)
            try await begin(on: channel)
            let first = try await channel.receive(upTo: Self.readSize)
            guard let type = first.first else { throw ChannelError.lost(nil) }
            if type == ChannelFrame.openType { return try await further(channel, first) }
            // The bearer of a ticket has shown no key. A data channel proves it later; a control channel has no proof.
            guard !channel.isResumed else { throw SessionError(.brokeProtocol) }
            try await channel.send(encodedHello)
            var decoder = FrameDecoder<ControlFrame>()
            decoder.append(first)
            let theirs = try await receiveHello(on: channel, &decoder)
            let address = channel.remoteAddress.flatMap { remote in
                theirs.listeningPort == 0 ? nil : SocketAddress(remote.address, port: theirs.listeningPort)
            }
            return .control(
                HandshakeResult(
                    channel: channel,
                    isDialler: false,
                    hello: theirs,
                    decoder: decoder,
                    peerAddress: address
                )
            )
        }
    }

    // MARK: Steps

    private func begin(on channel: SecureChannel) async throws {
        self.channel = channel
        perform(machine.secured(by: channel.peerID, at: .now))
        try check()
    }

    private func receiveHello(
        on channel: SecureChannel,
        _ decoder: inout FrameDecoder<ControlFrame>
    ) async throws -> ControlFrame.Hello {
        let frame: ControlFrame = try await receive(on: channel, &decoder)
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

    private func further(_ channel: SecureChannel, _ first: [UInt8]) async throws -> Arrival {
        var decoder = FrameDecoder<ChannelFrame>()
        decoder.limitHeld(to: 0)
        decoder.append(first)
        guard case .open(let open) = try await receive(on: channel, &decoder) else {
            throw SessionError(.brokeProtocol)
        }
        timer.cancel()
        return .further(channel, open, decoder)
    }

    private func receive<Frame>(on channel: SecureChannel, _ decoder: inout FrameDecoder<Frame>) async throws -> Frame {
        while true {
            if let frame = try decoder.next() { return frame }
            guard decoder.heldByteCount < Self.firstFrameLimit else { throw SessionError(.brokeProtocol) }
            let bytes = try await channel.receive(upTo: Self.readSize)
            guard !bytes.isEmpty else { throw ChannelError.lost(nil) }
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
        channel?.abort()
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
            channel?.abort()
            throw error
        } catch {
            perform(machine.failed(Self.fault(of: error)))
            channel?.abort()
            throw SessionError(strangeAnswer: error) ?? SessionError(failure ?? .unreachable)
        }
    }

    private static func fault(of error: any Error) -> LinkHandshake.Fault {
        switch error {
        case let error as SessionError: .abandoned(error.reason ?? .unreachable)
        case let error as WireError: .abandoned(error.partingReason)
        case is ProtocolViolation: .unreadable
        case ChannelError.keyChanged: .abandoned(.keyChanged)
        case ChannelError.noCommonVersion, ChannelError.refused: .noCommonVersion
        case ChannelError.notAPeer, ChannelError.badCertificate: .abandoned(.unreachable)
        case ChannelError.timedOut: .abandoned(.timedOut)
        default: .connection
        }
    }
}
