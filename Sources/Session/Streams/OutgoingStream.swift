import LinuxPlatform
import Transport
public import Vocabulary
import Wire

/// A named stream of bytes to one peer. Writing waits while the peer reads slowly.
public final class OutgoingStream: Sendable {
    /// The reader.
    public let peer: PeerID
    /// The name.
    public let name: Label
    private let channel: DataChannel

    private static let chunk = 256 << 10

    init(to peer: PeerID, named name: Label, over channel: DataChannel) {
        self.peer = peer
        self.name = name
        self.channel = channel
    }

    deinit {
        channel.abort()
    }

    /// Writes all bytes, and returns when the network has them.
    public func write(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            try await channel.sendData(rest.prefix(Self.chunk))
            rest = rest.dropFirst(Self.chunk)
        }
    }

    /// Ends the stream, and returns when the peer has read all of it.
    public func finish() async throws {
        try await channel.send(.end)
        switch try await channel.next() {
        case nil, .end: break
        case .abort(let abort): throw SessionError(abort)
        default: throw SessionError(.brokeProtocol)
        }
        await channel.close()
    }

    /// Ends the stream so that the peer learns that bytes are missing.
    public func abort(because reason: PartingReason = .withdrawn) async {
        await channel.end(saying: .abort(.init(reason: reason, message: "")))
    }
}

extension SessionError {
    /// Explains why the reader has ended a stream.
    fileprivate init(_ abort: ChannelFrame.Abort) {
        guard abort.reason == .declined else {
            self.init(abort.reason)
            return
        }
        let remark = abort.message.text.isEmpty ? "" : ": \(abort.message)"
        self.init(
            "stream.declined",
            "the other side has ended the stream\(remark)",
            nextStep: "ask the person there, then send it again; a stream that broke off is not resumed",
            reason: abort.reason
        )
    }
}

extension DataChannel {
    func sendData(_ bytes: ArraySlice<UInt8>) async throws {
        var frame: [UInt8] = []
        frame.reserveCapacity(bytes.count + WireLimits.headerByteCount)
        ChannelFrame.appendDataHeader(count: bytes.count, to: &frame)
        frame.append(contentsOf: bytes)
        try await send(encoded: frame)
    }
}
