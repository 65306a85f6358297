import LinuxPlatform
import Session
import Transport
import Wire

/// Sends and receives frames on a channel, also frames that the protocol forbids.
@Engine
final class FrameTalk<Frame: WireFrame> {
    let channel: SecureChannel
    private var decoder = FrameDecoder<Frame>()

    init(_ channel: SecureChannel) {
        self.channel = channel
    }

    func say(_ frames: [Frame]) async throws {
        var bytes: [UInt8] = []
        for frame in frames { frame.encode(into: &bytes) }
        try await channel.send(bytes)
    }

    /// A frame of any bytes.
    func say(type: UInt8, _ payload: [UInt8]) async throws {
        let count = payload.count
        try await channel.send([type, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] + payload)
    }

    /// The next frame; nil at a clean end.
    func hear() async throws -> Frame? {
        let timer = Engine.schedule(at: .now + .seconds(20)) { [channel] in channel.abort() }
        defer { timer.cancel() }
        while true {
            if let frame = try decoder.next() { return frame }
            let bytes = try await channel.receive(upTo: 65_536)
            if bytes.isEmpty { return nil }
            decoder.append(bytes)
        }
    }
}
