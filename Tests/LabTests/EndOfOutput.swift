import LabKit
import LinuxPlatform
import Testing

/// Waits for a line, which must arrive in time. The failure has all lines before it.
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

/// The error of an output that ended without the expected line.
struct EndOfOutput: Error {}
