import LinuxPlatform
import Transport
import Vocabulary
import Wire

/// The first frames on a connection whose handshake is through: which kind of lane it is, and who says hello.
@Engine
enum Greeting {
    /// A control lane whose two sides have said hello.
    struct Greeted {
        let lane: Lane
        let isDialler: Bool
        let hello: ControlFrame.Hello
        let decoder: FrameDecoder<ControlFrame>
        let peerAddress: SocketAddress?
    }

    /// What a dialled connection turns out to be.
    enum Arrival {
        case control(Greeted)
        case further(Lane, LaneFrame.LaneOpen, FrameDecoder<LaneFrame>)
    }

    /// Says hello to a peer that was dialled at `address`, and waits for its hello.
    static func dialled(
        _ lane: Lane,
        at address: SocketAddress,
        saying hello: ControlFrame.Hello,
        within limit: Duration
    ) async throws -> Greeted {
        try await withDeadline(limit, lane) {
            try await lane.send(hello.encodedFrame)
            var decoder = FrameDecoder<ControlFrame>()
            let theirs = try await Self.hello(on: lane, &decoder)
            return Greeted(lane: lane, isDialler: true, hello: theirs, decoder: decoder, peerAddress: address)
        }
    }

    /// Waits for the first frame of a connection that came in; a hello is answered.
    static func answered(
        _ lane: Lane,
        saying hello: ControlFrame.Hello,
        within limit: Duration
    ) async throws -> Arrival {
        try await withDeadline(limit, lane) {
            let first = try await lane.receive(upTo: 16_384)
            guard let type = first.first else { throw LaneError.lost(nil) }
            if type == LaneFrame.openType { return try await further(lane, first) }
            try await lane.send(hello.encodedFrame)
            var decoder = FrameDecoder<ControlFrame>()
            decoder.append(first)
            let theirs = try await Self.hello(on: lane, &decoder)
            let address = lane.remoteAddress.flatMap { remote in
                theirs.listeningPort == 0 ? nil : SocketAddress(remote.address, port: theirs.listeningPort)
            }
            return .control(
                Greeted(lane: lane, isDialler: false, hello: theirs, decoder: decoder, peerAddress: address)
            )
        }
    }

    private static func hello(
        on lane: Lane,
        _ decoder: inout FrameDecoder<ControlFrame>
    ) async throws -> ControlFrame.Hello {
        while true {
            if let frame = try decoder.next() {
                guard case .hello(let hello) = frame else { throw SessionError(.brokeProtocol) }
                return hello
            }
            let bytes = try await lane.receive(upTo: 16_384)
            guard !bytes.isEmpty else { throw LaneError.lost(nil) }
            decoder.append(bytes)
        }
    }

    private static func further(_ lane: Lane, _ first: [UInt8]) async throws -> Arrival {
        var decoder = FrameDecoder<LaneFrame>()
        decoder.append(first)
        while true {
            if let frame = try decoder.next() {
                guard case .open(let open) = frame else { throw SessionError(.brokeProtocol) }
                return .further(lane, open, decoder)
            }
            let bytes = try await lane.receive(upTo: 16_384)
            guard !bytes.isEmpty else { throw LaneError.lost(nil) }
            decoder.append(bytes)
        }
    }

    /// A lane that takes too long is cut, which ends whoever waits on it.
    private static func withDeadline<Value>(
        _ limit: Duration,
        _ lane: Lane,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let timer = Engine.schedule(at: .now + limit) { lane.abort() }
        defer { timer.cancel() }
        return try await body()
    }
}

extension ControlFrame.Hello {
    fileprivate var encodedFrame: [UInt8] {
        var bytes: [UInt8] = []
        ControlFrame.hello(self).encode(into: &bytes)
        return bytes
    }
}
