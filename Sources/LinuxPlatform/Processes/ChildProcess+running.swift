import Glibc
import Synchronization

extension ChildProcess {
    /// Starts a program, waits for its end and keeps its output until then.
    ///
    /// It does not wait for later output of programs that the program left behind.
    ///
    /// - Parameters:
    ///   - launch: the program; this call decides where its output goes
    ///   - outputLimit: how many bytes of each output are kept
    ///   - deadline: the time after which the program is killed
    public static func run(
        _ launch: ProgramLaunch,
        outputLimit: Int = 1 << 20,
        deadline: Duration,
        on loop: EventLoop = .shared
    ) async throws -> CompletedProgram {
        var launch = launch
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        return try await Self.launch(launch, on: loop).complete(outputLimit: outputLimit, deadline: deadline)
    }

    /// Waits for the end of a program and keeps its output until then; kills it at the deadline, or if the caller is
    /// cancelled.
    public func complete(outputLimit: Int = 1 << 20, deadline: Duration) async throws -> CompletedProgram {
        let output = OutputCollector(standardOutput, limit: outputLimit)
        let error = OutputCollector(standardError, limit: outputLimit)
        let (status, wasKilled) = await withTaskGroup(of: Void.self) { group in
            group.addTask { await output.collect() }
            group.addTask { await error.collect() }
            let ending = await self.waitOrKill(after: deadline)
            // Another program may hold the pipes open for ever; all output of the program itself is in them now.
            group.cancelAll()
            return ending
        }
        try Task.checkCancellation()
        return CompletedProgram(
            status: status,
            exceededDeadline: wasKilled,
            standardOutput: output.finish(),
            standardError: error.finish()
        )
    }
}

/// Reads a pipe into memory, up to a limit.
private final class OutputCollector: Sendable {
    /// The most that a pipe holds by default.
    private static let pipeCapacity = 1 << 20

    private let source: ChildOutput?
    private let limit: Int
    private let captured = Mutex(CapturedOutput())

    init(_ source: ChildOutput?, limit: Int) {
        self.source = source
        self.limit = limit
    }

    /// Reads until the end or until the task is cancelled. A failed read ends it, too: there are no further bytes.
    func collect() async {
        while let bytes = try? await source?.read(), !bytes.isEmpty { keep(bytes) }
    }

    /// Takes the rest of the pipe, without waiting for more.
    func finish() -> CapturedOutput {
        var left = Self.pipeCapacity
        while left > 0, let bytes = try? source?.readAvailable(upTo: 65_536), !bytes.isEmpty {
            keep(bytes)
            left -= bytes.count
        }
        return captured.withLock { $0 }
    }

    private func keep(_ bytes: [UInt8]) {
        captured.withLock { $0.append(bytes, limit: limit) }
    }
}
