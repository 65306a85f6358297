import CLinux
import Glibc
import Synchronization

/// A program that we started.
///
/// It is noticed as soon as it ends, through its pidfd on the event loop, and never stays behind as a zombie, whether
/// anybody waits for it or not. Letting go of the value leaves the program running.
public final class ChildProcess: Sendable {
    /// The process number, ours until ``wait()`` has answered. For messages and for `/proc`; signals go through
    /// ``send(_:)``, which can't hit a stranger.
    public let identifier: CInt

    /// Our end of the program's standard input, where it is a pipe.
    public let standardInput: ChildInput?

    /// Our end of its standard output, where it is a pipe.
    public let standardOutput: ChildOutput?

    /// Our end of its standard error, where it is a pipe.
    public let standardError: ChildOutput?

    private let life: Life
    private let loop: EventLoop

    /// Takes over a child that was started by other means, with our ends of its streams.
    ///
    /// - Parameter takingOthersAlong: whether its session, which has to be its own, is killed when it ends
    /// - Throws: `SystemError` where the child can't be watched; it has been killed then.
    public init(
        adopting identifier: CInt,
        with streams: borrowing ChildStreams,
        takingOthersAlong: Bool = false,
        on loop: EventLoop = .shared
    ) throws(SystemError) {
        self.identifier = identifier
        standardInput = streams.input
        standardOutput = streams.output
        standardError = streams.error
        self.loop = loop
        life = try Life(of: identifier, takingOthersAlong: takingOthersAlong, on: loop)
    }

    /// How it ended; nil while it runs.
    public var status: ProgramEnding? { life.status }

    /// Suspends until the program has ended. Many may wait.
    public func wait() async throws -> ProgramEnding {
        try await life.ended()
    }

    /// Sends a signal to the program; false where it has ended.
    @discardableResult
    public func send(_ signal: CInt) -> Bool {
        life.send(signal)
    }

    /// Asks the program to end, and kills it after a while. Goes on to the end when the caller is cancelled.
    @discardableResult
    public func terminate(after patience: Duration = .seconds(5)) async -> ProgramEnding {
        send(SIGTERM)
        return await waitOrKill(after: patience).status
    }

    /// Waits for the end, and kills the program when `limit` has passed or the caller was cancelled.
    func waitOrKill(after limit: Duration) async -> (status: ProgramEnding, wasKilled: Bool) {
        if let status = try? await loop.withDeadline(limit, "wait", { try await self.wait() }) {
            return (status, false)
        }
        let wasKilled = send(SIGKILL)
        return (await life.endedForCertain(), wasKilled)
    }
}
