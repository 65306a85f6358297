import LabKit
import LinuxPlatform
import Testing

/// Runs until a line passes, which must happen in time; everything before it is in the failure.
func line(
    from output: ChildOutput?,
    within limit: Duration = .seconds(20),
    where isWanted: @escaping @Sendable (String) -> Bool
) async throws -> String {
    let output = try #require(output)
    return try await EventLoop.shared.withDeadline(limit, "wait for a line") {
        for try await line in output.lines() where isWanted(line) { return line }
        throw EndOfOutput()
    }
}

/// A program said all it had to say, and not what was waited for.
struct EndOfOutput: Error {}
