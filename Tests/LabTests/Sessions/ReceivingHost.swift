import FoundationEssentials
import Glibc
import LabKit
import LinuxPlatform
import Synchronization
import TestSupport
import Testing

/// A host of the lab with a daemon and `huddle inbox`, which reports arrivals.
final class ReceivingHost: Sendable {
    private let daemon: DaemonHost
    private let teller: ChildProcess
    private let state = Mutex(State())

    private struct State {
        var heard = Heard()
        var watchers: [(condition: @Sendable (Heard) -> Bool, met: Resumption<Void>)] = []
    }

    /// The output of the program so far.
    struct Heard {
        var bytes: UInt64 = 0
        var received: [String] = []
        /// The number of times that it reported each event.
        var words: [String: Int] = [:]
    }

    private struct Event: Decodable {
        let event: String
        let name: String?
        let bytes: UInt64?
    }

    init(_ host: LabHost, in folder: String) async throws {
        daemon = try await DaemonHost(host, in: folder)
        var launch = host.launch(daemon.command(["inbox", "--json", "--stdin"]))
        launch.standardInput = .pipe
        launch.standardOutput = .pipe
        teller = try await host.start(launch)
        Task { await self.follow() }
    }

    /// Starts the daemon again after a kill, and waits until the inbox follows it.
    func start() async throws {
        let before = state.withLock { $0.heard.words["ready", default: 0] }
        try await daemon.start()
        try await says("ready", times: before + 1)
    }

    /// Pairs a machine with this one: types its code once the question for it appears.
    func letIn(_ inviting: ChildProcess) async throws {
        let code = try #require(try await inviting.shownCode())
        try await says("invited")
        try await teller.standardInput?.write(Array("\(code)\n".utf8))
    }

    /// Kills the daemon, so that it can neither send nor write anything.
    func kill() async throws { try await daemon.kill() }

    func end() async {
        _ = await teller.terminate()
        await daemon.terminate()
    }

    /// Waits until that number of bytes has arrived, or the whole file.
    func has(bytes: UInt64, orReceived name: String) async throws {
        try await waits { $0.bytes >= bytes || $0.received.contains(name) }
    }

    /// Returns true if the file has arrived.
    func hasIt(_ name: String) -> Bool { state.withLock { $0.heard.received.contains(name) } }

    func hasReceived(_ name: String) async throws {
        try await waits { $0.received.contains(name) }
    }

    /// Waits until the program has reported an event that number of times.
    func says(_ word: String, times: Int = 1) async throws {
        try await waits { $0.words[word, default: 0] >= times }
    }

    private func waits(until condition: @escaping @Sendable (Heard) -> Bool) async throws {
        let met = Resumption<Void>()
        state.withLock { $0.watchers.append((condition, met)) }
        check()
        try await EventLoop.shared.withDeadline(.seconds(300), "wait for bytes on \(daemon.host.name)") {
            try await met.valueUnlessCancelled()
        }
    }

    private func follow() async {
        guard let output = teller.standardOutput else { return }
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
            // The program was ended in the middle of a line.
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
