public import LinuxPlatform
import Session
public import Transport
public import Wire

/// A data channel under control of the test.
@Engine
public final class ScriptedLane {
    /// Its connection.
    public let lane: Lane
    private let talk: FrameTalk<LaneFrame>

    /// A data channel without any frame so far.
    public init(_ lane: Lane) {
        self.lane = lane
        talk = FrameTalk(lane)
    }

    /// Sends frames in one write.
    public func say(_ frames: LaneFrame...) async throws { try await talk.say(frames) }

    /// Sends frames one after the other, also if the node no longer reads.
    public func say(frames: [LaneFrame]) async {
        for frame in frames { try? await talk.say([frame]) }
    }

    /// The next frame; nil once the channel has ended in any way.
    public func hear() async throws -> LaneFrame? {
        do {
            return try await talk.hear()
        } catch let error as WireError {
            throw error
        } catch {
            return nil
        }
    }
}
