import FoundationEssentials
import LabKit
import LinuxPlatform
import Synchronization
import Testing

/// A running `huddle browse --json` on a host of the lab, and the list that follows from its events.
final class BrowsingHost: Sendable {
    /// A peer in the program's JSON.
    struct Peer: Decodable, Sendable, Equatable {
        struct Entry: Decodable, Sendable, Equatable {
            let key: String
            let text: String?
            let base64: String?
        }

        let name: String
        let origin: String
        let state: String
        let reason: String?
        let host: String
        let port: Int
        let addresses: [String]
        let interfaces: [String]
        let txt: [Entry]

        func text(_ key: String) -> String? { txt.first { $0.key == key }?.text }
    }

    /// A line of the program's output.
    struct Event: Decodable, Sendable {
        let event: String
        let peer: Peer?
        let reason: String?
        let name: String?
        let wanted: String?
        let message: String?
    }

    struct State: Sendable {
        var peers: [String: Peer] = [:]
        var events: [Event] = []
        /// Errors in any test: a peer that is found twice, or a change of an unknown one.
        var faults: [String] = []
        var hasEnded = false

        var present: Set<String> { Set(peers.values.filter { $0.state == "present" }.map(\.name)) }
        var notices: Set<String> { Set(events.compactMap { $0.event == "notice" ? $0.name : nil }) }
        /// The name that the host itself advertises.
        var ownName: String? { events.last { $0.event == "advertised" || $0.event == "renamed" }?.name }
        var lostReasons: [String] { events.filter { $0.event == "lost" }.compactMap(\.reason) }
    }

    private typealias Watcher = (condition: @Sendable (State) -> Bool, met: Resumption<Void>)

    let host: LabHost
    let started: ContinuousClock.Instant
    private let program: ChildProcess
    private let state = Mutex(State())
    private let watchers = Mutex<[Watcher]>([])

    /// - Parameters:
    ///   - name: the name to advertise meanwhile
    ///   - options: further words of the command line
    init(
        _ host: LabHost,
        advertising name: String? = nil,
        _ options: [String] = [],
        environment: [String: String] = [:]
    )
        async throws
    {
        self.host = host
        started = .now
        let words = [HuddleProgram.path, "browse", "--json"] + (name.map { ["--advertise", $0] } ?? []) + options
        program = try await host.start(words, environment: environment)
        Task { await self.follow() }
    }

    /// The present list.
    var now: State { state.withLock { $0 } }

    /// Waits until the list has the given names, and returns the time since `begin`.
    @discardableResult
    func waits(
        atMost limit: Duration = .seconds(20),
        since begin: ContinuousClock.Instant? = nil,
        until condition: @escaping @Sendable (State) -> Bool,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> Duration {
        let met = Resumption<Void>()
        watchers.withLock { $0.append((condition, met)) }
        checkWatchers()
        do {
            try await EventLoop.shared.withDeadline(limit * LabSuites.allowance, "wait for the list of \(host.name)") {
                try await met.valueUnlessCancelled()
            }
        } catch {
            Issue.record("\(summary)", sourceLocation: location)
            throw error
        }
        return .now - (begin ?? started)
    }

    /// The list and the last events, for a failed test.
    var summary: String {
        let now = now
        let last = now.events.suffix(12).map { "\($0.event) \($0.peer?.name ?? $0.name ?? "") \($0.reason ?? "")" }
        return
            "\(host.name) goes by \(now.ownName ?? "nothing yet"), lists \(now.peers.values.map { "\($0.name) \($0.state)" }); last: \(last)"
    }

    /// Ends the program as systemd would, and expects success and no errors.
    func end(_ location: SourceLocation = #_sourceLocation) async {
        let ending = await program.terminate()
        #expect(ending == .exited(0), sourceLocation: location)
        #expect(now.faults == [], sourceLocation: location)
    }

    private func follow() async {
        guard let output = program.standardOutput else { return }
        do {
            for try await line in output.lines() { try note(JSONDecoder().decode(Event.self, from: Data(line.utf8))) }
        } catch {
            state.withLock { $0.faults.append("\(error)") }
        }
        state.withLock { $0.hasEnded = true }
        checkWatchers()
    }

    private func note(_ event: Event) {
        state.withLock { state in
            state.events.append(event)
            guard let peer = event.peer else { return }
            let key = "\(peer.origin) \(peer.name)"
            let isKnown = state.peers[key] != nil
            switch event.event {
            case "found" where isKnown: state.faults.append("\(peer.name) was found twice")
            case "updated" where !isKnown, "returned" where !isKnown, "lost" where !isKnown:
                state.faults.append("\(event.event) \(peer.name), which was never found")
            default: break
            }
            state.peers[key] = event.event == "lost" ? nil : peer
        }
        checkWatchers()
    }

    private func checkWatchers() {
        let now = now
        let met = watchers.withLock { watchers in
            let met = watchers.filter { $0.condition(now) }
            watchers.removeAll { watcher in met.contains { $0.met === watcher.met } }
            return met
        }
        for watcher in met { watcher.met.resume(with: .success(())) }
    }
}
