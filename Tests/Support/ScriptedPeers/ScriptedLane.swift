public import LinuxPlatform
import Session
public import Transport
public import Wire

/// A further lane made by hand.
@Engine
public final class ScriptedLane {
    /// What it goes over.
    public let lane: Lane
    private let talk: FrameTalk<LaneFrame>

    /// Takes a lane on which nothing has been said.
    public init(_ lane: Lane) {
        self.lane = lane
        talk = FrameTalk(lane)
    }

    /// Says these together.
    public func say(_ frames: LaneFrame...) async throws { try await talk.say(frames) }

    /// Says one after the other, also where nobody listens any more.
    public func say(frames: [LaneFrame]) async {
        for frame in frames { try? await talk.say([frame]) }
    }

    /// The next frame; nil where the lane has ended, one way or the other.
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
