import FoundationEssentials
import Glibc
import LabKit
import LinuxPlatform
import Synchronization
import TestSupport
import Testing

/// `huddle inbox` on a host of the lab, with a folder of its own for its key and for what comes.
final class ReceivingHost: Sendable {
    let host: LabHost
    let folder: String
    private let program = Mutex<ChildProcess?>(nil)
    private let state = Mutex(State())

    private struct State {
        var heard = Heard()
        var watchers: [(condition: @Sendable (Heard) -> Bool, met: Resumption<Void>)] = []
    }

    /// What the program has said so far.
    struct Heard {
        var bytes: UInt64 = 0
        var received: [String] = []
        /// How often it said each word.
        var words: [String: Int] = [:]
    }

    private struct Event: Decodable {
        let event: String
        let name: String?
        let bytes: UInt64?
    }

    init(_ host: LabHost, in folder: String) async throws {
        self.host = host
        self.folder = folder
        try await start()
    }

    /// Where what comes is put.
    var inbox: String { "\(folder)/in" }
    var identity: [String] { ["--state", "\(folder)/state"] }

    /// Starts the program, also again after it was killed. Where a person is asked, ``letIn(_:)`` answers.
    func start() async throws {
        var launch = host.launch([HuddleProgram.path, "inbox", "--json", "--stdin", "--into", inbox] + identity)
        launch.standardInput = .pipe
        launch.standardOutput = .pipe
        launch.startsSession = true
        let started = try await host.start(launch)
        program.withLock { $0 = started }
        Task { await self.follow(started) }
    }

    /// Lets a machine meet this one: types its code once the person here is asked for it.
    func letIn(_ inviting: ChildProcess) async throws {
        let code = try #require(try await inviting.shownCode())
        try await says("invited")
        try await program.withLock { $0 }?.standardInput?.write(Array("\(code)\n".utf8))
    }

    /// Kills the program, which gets no chance to say or to write anything.
    func kill() async throws {
        let running = program.withLock { $0 }
        running?.send(SIGKILL)
        _ = try await running?.wait()
    }

    func end() async {
        _ = await program.withLock { $0 }?.terminate()
    }

    /// Waits until so many bytes of what is on its way are there, or until it has come.
    func has(bytes: UInt64, orReceived name: String) async throws {
        try await waits { $0.bytes >= bytes || $0.received.contains(name) }
    }

    /// Whether it has come already.
    func hasIt(_ name: String) -> Bool { state.withLock { $0.heard.received.contains(name) } }

    func hasReceived(_ name: String) async throws {
        try await waits { $0.received.contains(name) }
    }

    /// Waits until the program has said a word so often.
    func says(_ word: String, times: Int = 1) async throws {
        try await waits { $0.words[word, default: 0] >= times }
    }

    private func waits(until condition: @escaping @Sendable (Heard) -> Bool) async throws {
        let met = Resumption<Void>()
        state.withLock { $0.watchers.append((condition, met)) }
        check()
        try await EventLoop.shared.withDeadline(.seconds(300), "wait for bytes on \(host.name)") {
            try await met.valueUnlessCancelled()
        }
    }

    private func follow(_ program: ChildProcess) async {
        guard let output = program.standardOutput else { return }
        do {
            for try await line in output.lines() {
                guard let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)) else { continue }
                state.withLock { state in
                    state.heard.words[event.event, default: 0] += 1
                    if let bytes = event.bytes { state.heard.bytes = bytes }
                    if event.event == "received", let name = event.name { state.heard.received.append(name) }
                }
                check()
            }
        } catch {
            // The program was killed in the middle of a line.
        }
    }

    private func check() {
        let met = state.withLock { state in
            let heard = state.heard
            let met = state.watchers.filter { $0.condition(heard) }
            state.watchers.removeAll { watcher in met.contains { $0.met === watcher.met } }
            return met
        }
        for watcher in met { watcher.met.resume(with: .success(())) }
    }
}
