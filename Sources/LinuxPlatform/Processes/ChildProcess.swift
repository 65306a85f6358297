import CLinux
import Glibc
import Synchronization

/// A program that this one started.
///
/// Its pidfd on the event loop reports its end at once, and it never stays behind as a zombie, even if no task waits
/// for it. Releasing the value leaves the program running.
public final class ChildProcess: Sendable {
    /// The process number, valid until ``wait()`` has returned. For messages and for `/proc`; signals go through
    /// ``send(_:)``, which can't hit another process.
    public let identifier: CInt

    /// This end of the program's standard input, if it is a pipe.
    public let standardInput: ChildInput?

    /// This end of its standard output, if it is a pipe.
    public let standardOutput: ChildOutput?

    /// This end of its standard error, if it is a pipe.
    public let standardError: ChildOutput?

    private let life: Life
    private let loop: EventLoop

    /// Takes over a child that was started by other means, with this end of its streams.
    ///
    /// - Parameter takingOthersAlong: true to kill its session, which must be its own, when it ends
    /// - Throws: `SystemError` if the child can't be watched; it has then been killed.
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

    /// Its ending; nil while it runs.
    public var status: ProgramEnding? { life.status }

    /// Suspends until the program has ended. Several tasks may wait.
    public func wait() async throws -> ProgramEnding {
        try await life.ended()
    }

    /// Sends a signal to the program. Returns false if it has ended.
    @discardableResult
    public func send(_ signal: CInt) -> Bool {
        life.send(signal)
    }

    /// Asks the program to end, and kills it after `patience`. It continues to the end even if the caller is cancelled.
    @discardableResult
    public func terminate(after patience: Duration = .seconds(5)) async -> ProgramEnding {
        send(SIGTERM)
        return await waitOrKill(after: patience).status
    }

    /// Waits for the end, and kills the program when `limit` has passed or the caller is cancelled.
    func waitOrKill(after limit: Duration) async -> (status: ProgramEnding, wasKilled: Bool) {
        if let status = try? await loop.withDeadline(limit, "wait", { try await self.wait() }) {
            return (status, false)
        }
        let wasKilled = send(SIGKILL)
        return (await life.endedForCertain(), wasKilled)
    }
}
