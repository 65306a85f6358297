import Glibc
import LabKit
import LinuxPlatform

/// Runs async work to its end and ends the program with its exit code.
func runToEnd(_ work: @escaping @Sendable () async throws -> Void) -> Never {
    Program.run { _ in await exitCode { try await work() } }
}

/// The exit code after some work: 0, or 1 with the error on the terminal.
func exitCode(of work: @Sendable () async throws -> Void) async -> CInt {
    do {
        try await work()
        return 0
    } catch {
        complain(error)
        return 1
    }
}

/// Prints the error.
func complain(_ error: any Error) {
    Console.note("\(error)")
}
