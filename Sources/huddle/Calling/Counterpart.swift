import CommandTable
import Control
import Glibc
import Household
import Ledger
import LinuxPlatform
import Session
import Vocabulary

/// Whom a command asks: the daemon, or where none runs a household of its own for as long as the command takes.
enum Counterpart {
    /// What a command does with it.
    typealias Work = @Engine @Sendable (_ asked: any ControlTarget) async throws -> ExitCode

    /// The daemon of this person; nil where none runs.
    ///
    /// - Parameters:
    ///   - console: where it is said that it lets us wait
    ///   - limit: how long one may be silent that is only being started
    static func daemon(
        _ given: GivenValues,
        telling console: Console? = nil,
        startingWithin limit: Duration = AnswerVigil.starting
    ) -> ControlConnection? {
        var vigil = AnswerVigil { await console?.complain($0) }
        let holder = HouseholdPresence.holder(in: StateFolder.path(given))
        // A service manager holds the socket, and starts the daemon, which may have much to look through first.
        if holder?.runs != true { vigil.last = limit }
        return places(given).lazy.compactMap { ControlConnection(to: $0, vigil) }.first
    }

    /// What comes into being when the daemon is started: where something happens near these, it is worth to look for it.
    static func signs(_ given: GivenValues) -> [String] { places(given) + [StateFolder.path(given) + "/control"] }

    private static func places(_ given: GivenValues) -> [String] {
        let said = HouseholdPresence.holder(in: StateFolder.path(given))?.socket
        // Where a service manager listens until somebody asks, the daemon has not said anything yet.
        return [said, StateFolder.socket(given)].compactMap(\.self)
    }

    /// Goes to others by way of whoever is there.
    ///
    /// - Parameter prepare: what a household of one's own takes before it can be asked, such as time to look around
    /// - Returns: what the work answers; nil where Ctrl-C ended it
    static func run(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        orFor limit: Duration? = nil,
        changing change: (inout NodeConfiguration) -> Void = { _ in },
        preparing prepare: @escaping @Engine @Sendable () async throws -> Void = {},
        _ work: @escaping Work
    ) async throws -> ExitCode? {
        if let daemon = daemon(given, telling: console) {
            if let words = NodeOptions.withoutEffect(given) { await console.complain(words) }
            return try await run(daemon, console, signals, limit, work)
        }
        return try await NodeHost.run(.calling, given, console, signals, orFor: limit, changing: change) { node in
            let household = Household(node, into: nil)
            let control = Control(household, as: ProgramFacts(version: Release.version, presence: nil))
            return try await running(household) {
                try await prepare()
                return try await work(control)
            }
        }
    }

    /// Follows what the daemon tells, and after its restart what the next one tells.
    static func follow(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        _ report: SessionReport,
        asks: Bool,
        orFor limit: Duration?
    ) async throws -> ExitCode? {
        let end = limit.map { ContinuousClock.now + $0 }
        var told: ContinuousClock.Instant?
        if let words = NodeOptions.withoutEffect(given) { await console.complain(words) }
        while true {
            if let daemon = daemon(given, telling: console) {
                do {
                    let left = end.map { max(.zero, $0 - .now) }
                    let code = try await run(daemon, console, signals, left) { asked in
                        let events = ControlQuestion("GET", ["v1", "events"])
                        return try await Conversation(with: asked, report, asks: asks).follow(events)
                    }
                    // What happens has no end of its own.
                    if code == nil { return nil }
                } catch let error where hasEnded(error) {
                    // As below.
                }
                // One that is about to end may take another question, and not answer it.
                if told.map({ .now - $0 > .seconds(5) }) ?? true {
                    await report.complain("huddled has ended; waiting until it is back")
                }
                told = .now
                try await EventLoop.shared.sleep(for: .milliseconds(200))
            }
            guard try await unlessSignalled(signals, { await isBack(given, until: end) }) == true else { return nil }
        }
    }

    private static func hasEnded(_ error: any Error) -> Bool {
        if let error = error as? SystemError {
            return [ECONNRESET, EPIPE, ECONNREFUSED, ENOENT].contains(error.number)
        }
        return (error as? HouseholdError)?.code == "control.broken-off"
    }

    /// Waits for the next daemon; answers whether it has come in time.
    private static func isBack(_ given: GivenValues, until end: ContinuousClock.Instant?) async -> Bool {
        while !Task.isCancelled {
            let arrival = try? ArrivalWatch(for: signs(given), on: .shared)
            if daemon(given) != nil { return true }
            let left = end.map { $0 - .now } ?? .seconds(3600)
            guard left > .zero else { return false }
            if let arrival {
                _ = await arrival.happened(within: min(left, .seconds(30)))
            } else {
                try? await EventLoop.shared.sleep(for: min(left, .seconds(1)))
            }
        }
        return false
    }

    /// Does the work while the household runs.
    @Engine
    static func running(
        _ household: Household,
        _ work: @escaping @Engine @Sendable () async throws -> ExitCode
    ) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await household.run().map { ExitCode(of: $0) } ?? .success }
            group.addTask { try await work() }
            return try await group.next() ?? .interrupted
        }
    }

    private static func run(
        _ daemon: ControlConnection,
        _ console: Console,
        _ signals: Signals,
        _ limit: Duration?,
        _ work: @escaping Work
    ) async throws -> ExitCode? {
        let outcome = NodeHost.Outcome()
        try await untilSignalled(signals, orFor: limit) { group in
            group.addTask { try await console.readerLeaves() }
            group.addTask {
                outcome.set(try await work(daemon))
                // The end of the work is the end of all.
                throw CancellationError()
            }
        }
        return outcome.code
    }
}
