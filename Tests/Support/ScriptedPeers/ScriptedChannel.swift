public import LinuxPlatform
import Session
public import Transport
public import Wire

/// A data channel under control of the test.
@Engine
public final class ScriptedChannel {
    /// Its connection.
    public let channel: SecureChannel
    private let talk: FrameTalk<ChannelFrame>

    /// A data channel without any frame so far.
    public init(_ channel: SecureChannel) {
        self.channel = channel
        talk = FrameTalk(channel)
    }

    /// Sends frames in one write.
    public func say(_ frames: ChannelFrame...) async throws { try await talk.say(frames) }

    /// Sends frames one after the other, also if the node no longer reads.
    public func say(frames: [ChannelFrame]) async {
        for frame in frames { try? await talk.say([frame]) }
    }

    /// The next frame; nil once the channel has ended in any way.
    public func hear() async throws -> ChannelFrame? {
        do {
            return try await talk.hear()
        } catch let error as WireError {
            throw error
        } catch {
            return nil
        }
    }
}
