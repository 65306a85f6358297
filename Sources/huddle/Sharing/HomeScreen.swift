import CommandTable
import Control
import Household
import LinuxPlatform
import SaveRules
import Vocabulary

/// `huddle` alone: the games with their states, the machines, and what needs the user.
enum HomeScreen {
    static let watch = Flag("watch", help: "stay, and show changes as they happen")

    static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let watches = given[watch] && console.isTerminal
        let code = try await Daemon.ask(given, console, signals) { daemon in
            if given[LookingOptions.json] {
                for endpoint in [Endpoint.status, .games, .peers, .invitations] {
                    for line in try await daemon.all(endpoint.request()) { try await report.tell(line) }
                }
                for line in try await Self.devices(daemon) { try await report.tell(line) }
                return .success
            }
            guard watches else {
                try await console.print(HomePicture(try await facts(daemon), width: console.width).text)
                return .success
            }
            try await follow(daemon, console)
            return .success
        }
        return code ?? (watches ? .success : .interrupted)
    }

    /// Draws the screen again after each event. The progress of a transfer causes no event, so the command asks again
    /// after a second while a game is sent or received.
    private static func follow(_ daemon: ControlConnection, _ console: Console) async throws {
        let events = try await daemon.events(Endpoint.events.request())
        let (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { signal.finish() }
                while try await events.next() != nil { signal.yield() }
            }
            var (next, timer) = (changes.makeAsyncIterator(), ScheduledTimer?.none)
            repeat {
                let facts = try await facts(daemon)
                let text = HomePicture(facts, width: console.width).text
                try await console.print("\u{1B}[H\u{1B}[2J\(text)")
                guard facts.games.contains(where: { [.sending, .receiving].contains($0.state) }) else { continue }
                timer?.cancel()
                timer = EventLoop.shared.schedule(after: .seconds(1)) { @Sendable in signal.yield() }
            } while await next.next() != nil
            try await group.waitForAll()
        }
    }

    /// The lines about devices that do not run Huddle.
    private static func devices(_ daemon: ControlConnection) async throws -> [DaemonLine] {
        try await daemon.all(Endpoint.retroArchDevices.request()) + daemon.all(Endpoint.syncthingDevices.request())
    }

    @Engine
    private static func facts(_ daemon: ControlConnection) async throws -> HomePicture.Facts {
        let status = try await daemon.all(Endpoint.status.request()).first?.status
        let saves = try await daemon.all(Endpoint.games.request())
        return HomePicture.Facts(
            status: status,
            games: saves.compactMap(\.game),
            offers: saves.compactMap(\.offer),
            machines: try await daemon.all(Endpoint.peers.request()).compactMap(\.machine),
            invitations: try await daemon.all(Endpoint.invitations.request()).compactMap(\.invitation),
            devices: try await Self.devices(daemon).compactMap(\.sentence)
        )
    }
}
