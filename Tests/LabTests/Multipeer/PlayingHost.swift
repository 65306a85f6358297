import LabKit
import LinuxPlatform
import Synchronization
import Testing

/// `multipeer-player` on a host of the lab. It gets commands, and its output is kept.
final class PlayingHost: Sendable {
    let host: LabHost
    let name: String
    private let program: ChildProcess
    private let state = Mutex(State())

    private struct State {
        var lines: [String] = []
        var turns: [Resumption<Void>] = []
    }

    /// - Parameters:
    ///   - options: its encryption, and `certificate` to show one
    ///   - executable: another program that takes a name
    init(
        _ name: String,
        on host: LabHost,
        _ options: [String] = [],
        running executable: String = "multipeer-player"
    ) async throws {
        self.host = host
        self.name = name
        var launch = host.launch([HuddleProgram.beside(executable), name] + options)
        launch.standardInput = .pipe
        launch.standardOutput = .pipe
        launch.startsSession = true
        program = try await host.start(launch)
        Task { await self.follow() }
    }

    /// Its output so far.
    var lines: [String] { state.withLock { $0.lines } }

    /// The number of times that it has printed a line.
    func count(_ line: String) -> Int { lines.count { $0 == line } }

    /// The states of another peer that it has printed, in order.
    func states(of name: String) -> [String] {
        lines.filter { $0.hasPrefix("is \(name) ") }.map { String($0.dropFirst("is \(name) ".count)) }
    }

    /// Sends it commands, one after the other.
    func does(_ commands: String...) async throws {
        for command in commands { try await program.standardInput?.write(Array("\(command)\n".utf8)) }
    }

    /// Waits until it has printed a line that number of times.
    func says(_ line: String, times: Int = 1, _ location: SourceLocation = #_sourceLocation) async throws {
        try await waits("“\(line)”", location) { lines in lines.count { $0 == line } >= times }
    }

    /// Waits until another peer has a state after the first `earlier` of its states.
    func sees(
        _ name: String,
        _ states: String...,
        after earlier: Int = 0,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await waits("\(name) to be \(states)", location) { _ in
            Array(self.states(of: name).dropFirst(earlier)) == states
        }
    }

    /// Waits until another peer has a state, no matter what it was before.
    func comesToSee(
        _ name: String,
        _ state: String,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await waits("\(name) to be \(state) at last", location) { _ in self.states(of: name).last == state }
    }

    /// Waits until its output satisfies a condition.
    func waits(
        _ what: String,
        _ location: SourceLocation = #_sourceLocation,
        until condition: @escaping @Sendable ([String]) -> Bool
    ) async throws {
        do {
            try await EventLoop.shared.withDeadline(.seconds(60) * LabSuites.allowance, "wait for \(what)") {
                while true {
                    let turn = Resumption<Void>()
                    let lines = self.state.withLock { state in
                        state.turns.append(turn)
                        return state.lines
                    }
                    if condition(lines) { return }
                    try await turn.valueUnlessCancelled()
                }
            }
        } catch {
            Issue.record("\(name) said: \(lines.suffix(20))", sourceLocation: location)
            throw error
        }
    }

    private func follow() async {
        guard let output = program.standardOutput else { return }
        do {
            for try await line in output.lines() {
                let turns = state.withLock { state in
                    state.lines.append(line)
                    defer { state.turns = [] }
                    return state.turns
                }
                for turn in turns { turn.resume(with: .success(())) }
            }
        } catch {
            // The program was killed in the middle of a line.
        }
    }

    /// Kills the program, so that it can't send a goodbye.
    func kill() async throws {
        program.send(9)
        _ = try await program.wait()
    }

    /// Closes its input, so that it ends in order.
    func endsByItself() async throws {
        await program.standardInput?.close()
        #expect(try await program.wait().isSuccess)
    }

    func end() async { _ = await program.terminate() }
}
