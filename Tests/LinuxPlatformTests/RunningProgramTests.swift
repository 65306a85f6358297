import Glibc
import LinuxPlatform
import TestSupport
import Testing

@Suite("a program that is found by its name", .timeLimit(.minutes(4)))
struct RunningProgramTests {
    private let folder = TemporaryFolder()

    /// Starts a program of its own name, which runs until its input ends.
    private func start(_ name: String) throws -> ChildProcess {
        let path = folder.path(of: name)
        symlink("/bin/cat", path)
        var launch = ProgramLaunch(path, ["-"])
        launch.standardInput = .pipe
        launch.standardOutput = .null
        return try ChildProcess.launch(launch)
    }

    @Test("is held until it ends, which is told by itself", arguments: ["game-", "game-with-a-name-beyond-15-bytes-"])
    func found(prefix: String) async throws {
        let name = "\(prefix)\(getpid())"
        #expect(RunningProgram.all(named: name).isEmpty)
        let game = try start(name)
        var found: [RunningProgram] = []
        // It has its name a moment after it has begun.
        while found.isEmpty { found = RunningProgram.all(named: name) }
        let program = try #require(found.first)
        #expect(found.count == 1 && program.process == game.identifier)
        #expect(program.ran >= .zero && program.ran < .seconds(3600))
        #expect(RunningProgram.all(named: String(name.dropLast())).isEmpty)
        await game.standardInput?.close()
        try await program.untilEnded()
        _ = try await game.wait()
        // A second time it is told at once.
        try await program.untilEnded()
        #expect(RunningProgram.all(named: name).isEmpty)
    }

    @Test("is not waited for any longer by who is cancelled")
    func cancelled() async throws {
        let name = "waits-\(getpid())"
        let game = try start(name)
        var found: [RunningProgram] = []
        while found.isEmpty { found = RunningProgram.all(named: name) }
        let program = try #require(found.first)
        let waiting = Task { try await program.untilEnded() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await game.standardInput?.close()
        _ = try await game.wait()
    }
}
