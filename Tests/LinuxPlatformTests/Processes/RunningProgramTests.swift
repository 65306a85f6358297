import Glibc
import LinuxPlatform
import TestSupport
import Testing

@Suite("Running program found by name", .timeLimit(.minutes(4)))
struct RunningProgramTests {
    private let folder = TemporaryFolder()

    /// Starts a program with its own name, which runs until its input ends.
    private func start(_ name: String) throws -> ChildProcess {
        let path = folder.path(of: name)
        symlink("/bin/cat", path)
        var launch = ProgramLaunch(path, ["-"])
        launch.standardInput = .pipe
        launch.standardOutput = .null
        return try ChildProcess.launch(launch)
    }

    @Test("The wait for a running program ends with it", arguments: ["game-", "game-with-a-name-beyond-15-bytes-"])
    func found(prefix: String) async throws {
        let name = "\(prefix)\(getpid())"
        #expect(RunningProgram.all(named: name).isEmpty)
        let game = try start(name)
        var found: [RunningProgram] = []
        // It gets its name shortly after its start.
        while found.isEmpty { found = RunningProgram.all(named: name) }
        let program = try #require(found.first)
        #expect(found.count == 1 && program.process == game.identifier)
        #expect(program.ran >= .zero && program.ran < .seconds(3600))
        #expect(RunningProgram.all(named: String(name.dropLast())).isEmpty)
        await game.standardInput?.close()
        try await program.untilEnded()
        _ = try await game.wait()
        // The second wait returns at once.
        try await program.untilEnded()
        #expect(RunningProgram.all(named: name).isEmpty)
    }

    @Test("A cancelled wait for a running program ends")
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
