import Glibc
import LinuxPlatform
import NotificationService
import Testing

/// A running `huddled` of a machine, after it answers.
final class RunningDaemon: Sendable {
    let program: ChildProcess
    /// Its address and port, in the form that can be typed for a peer.
    let address: String
    /// Its log before it was ready.
    let firstWords: [String]

    private init(_ program: ChildProcess, _ address: String, _ firstWords: [String]) {
        self.program = program
        self.address = address
        self.firstWords = firstWords
    }

    static func start(
        on machine: Machine,
        _ words: String...,
        at desktop: PlayedDesktop? = nil,
        environment: [String: String] = [:],
        watches: Int? = nil
    ) async throws -> RunningDaemon {
        let alone = ["--address", "127.0.0.1", "--no-advertise", "--no-browse"]
        var surroundings = environment
        surroundings["DBUS_SESSION_BUS_ADDRESS"] = desktop?.address
        let program = try machine.startDaemon(
            alone + words,
            environment: surroundings,
            after: watches.map(Machine.limitingWatches) ?? ":",
            apart: watches == nil ? [] : ["--user", "--map-root-user"]
        )
        var log = try #require(program.standardError).lines().makeAsyncIterator()
        var firstWords: [String] = []
        while let line = try await log.next() {
            if let port = line.firstMatch(of: #/listening on port (\d+)/#)?.1 {
                return RunningDaemon(program, "127.0.0.1:\(port)", firstWords)
            }
            firstWords.append(line)
        }
        let ending = try await program.wait()
        throw NotReady(ending: ending)
    }

    struct NotReady: Error {
        let ending: ProgramEnding
    }

    /// Ends it as systemd does.
    func stop() async throws {
        program.send(SIGTERM)
        #expect(try await program.wait() == .exited(0))
    }
}
