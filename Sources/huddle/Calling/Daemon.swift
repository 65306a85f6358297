import CommandTable
import Control
import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// The daemon of this person, which every command about the household asks.
enum Daemon {
    /// What a command does with it.
    typealias Work = @Engine @Sendable (_ daemon: ControlConnection) async throws -> ExitCode

    /// The way to it; nil if none runs.
    ///
    /// - Parameters:
    ///   - console: where it is said that it lets us wait
    ///   - limit: how long one may be silent that is only being started
    static func connection(
        _ given: GivenValues,
        telling console: Console? = nil,
        startingWithin limit: Duration = ResponseWatchdog.starting
    ) -> ControlConnection? {
        var watchdog = ResponseWatchdog { await console?.complain($0) }
        let holder = HouseholdPresence.holder(in: StateFolder.path(given))
        // A service manager holds the socket, and starts the daemon, which may have much to look through first.
        if holder?.runs != true { watchdog.last = limit }
        return places(given).lazy.compactMap { ControlConnection(to: $0, watchdog) }.first
    }

    /// The way to it.
    static func required(
        _ given: GivenValues,
        telling console: Console? = nil,
        startingWithin limit: Duration = ResponseWatchdog.starting
    ) throws(NoDaemon) -> ControlConnection {
        guard let daemon = connection(given, telling: console, startingWithin: limit) else {
            throw NoDaemon(at: StateFolder.socket(given))
        }
        return daemon
    }

    /// What comes into being when the daemon is started: where something happens near these, it is worth to look for it.
    static func signs(_ given: GivenValues) -> [String] { places(given) + [StateFolder.path(given) + "/control"] }

    private static func places(_ given: GivenValues) -> [String] {
        let said = HouseholdPresence.holder(in: StateFolder.path(given))?.socket
        // Where a service manager listens until somebody asks, the daemon has not said anything yet.
        return [said, StateFolder.socket(given)].compactMap(\.self)
    }

    // MARK: Asking

    /// Has it do something.
    ///
    /// - Returns: what the work answers; nil if Ctrl-C ended it
    static func ask(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        _ work: @escaping Work
    ) async throws -> ExitCode? {
        try await run(try required(given, telling: console), console, signals, nil, work)
    }

    /// What is said if the answer is empty.
    enum Otherwise {
        /// As a result.
        case result(String)
        /// Beside the result, and only for a person.
        case remark(String)
    }

    /// Prints what is answered to a question.
    ///
    /// - Parameters:
    ///   - head: what a person reads above the first line
    ///   - farewell: what is said if Ctrl-C ends the wait
    static func show(
        _ question: ControlQuestion,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        head: (@Sendable (SessionNews) -> String)? = nil,
        ifNothing otherwise: Otherwise? = nil,
        ifInterrupted farewell: String? = nil
    ) async throws -> ExitCode {
        let asJSON = given[LookingOptions.json]
        let report = SessionReport(asJSON: asJSON, console)
        let code = try await ask(given, console, signals) { daemon in
            let lines = try await daemon.news(question)
            var isEmpty = true
            while let news = try await lines.next() {
                if isEmpty, !asJSON, let head { try await console.print(head(news)) }
                isEmpty = false
                try await report.tell(news)
            }
            if isEmpty, !asJSON, let otherwise {
                switch otherwise {
                case .result(let sentence): try await console.print(sentence)
                case .remark(let sentence): await report.complain(sentence)
                }
            }
            return lines.failure.map { ExitCode(of: $0) } ?? .success
        }
        if let code { return code }
        if let farewell { await console.complain(farewell) }
        return .interrupted
    }

    private static func run(
        _ daemon: ControlConnection,
        _ console: Console,
        _ signals: Signals,
        _ limit: Duration?,
        _ work: @escaping Work
    ) async throws -> ExitCode? {
        let outcome = Outcome()
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

    // MARK: Following

    /// Follows what it tells, and after its restart what the next one tells.
    ///
    /// - Parameter child: one that this command has started, whose end is the end of all
    /// - Returns: nil if Ctrl-C or the limit ended it
    static func follow(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        _ report: SessionReport,
        asks: Bool,
        orFor limit: Duration?,
        whileRuns child: AttachedDaemon? = nil
    ) async throws -> ExitCode? {
        let end = limit.map { ContinuousClock.now + $0 }
        var told: ContinuousClock.Instant?
        while true {
            if let daemon = connection(given, telling: console) {
                do {
                    let left = end.map { max(.zero, $0 - .now) }
                    let code = try await run(daemon, console, signals, left) { daemon in
                        let events = ControlQuestion("GET", ["v1", "events"])
                        return try await Conversation(with: daemon, report, asks: asks).follow(events)
                    }
                    // What happens has no end of its own.
                    if code == nil { return nil }
                } catch let error where hasEnded(error) {
                    // As below.
                }
                if let child { return await child.hasEnded() }
                // One that is about to end may take another question, and not answer it.
                if told.map({ .now - $0 > .seconds(5) }) ?? true {
                    await report.complain("huddled has ended; waiting until it is back")
                }
                told = .now
                try await EventLoop.shared.sleep(for: .milliseconds(200))
            } else if let child {
                return await child.hasEnded()
            }
            guard try await unlessSignalled(signals, { await comes(given, until: end) }) == true else { return nil }
        }
    }

    private static func hasEnded(_ error: any Error) -> Bool {
        if let error = error as? SystemError {
            return [ECONNRESET, EPIPE, ECONNREFUSED, ENOENT].contains(error.number)
        }
        return (error as? HouseholdError)?.code == "control.broken-off"
    }

    /// Waits for the next daemon; answers whether it has come in time.
    static func comes(_ given: GivenValues, until end: ContinuousClock.Instant? = nil) async -> Bool {
        var wasSign = false
        while !Task.isCancelled {
            let arrival = try? ArrivalWatch(for: signs(given), on: .shared)
            if connection(given) != nil { return true }
            let left = end.map { $0 - .now } ?? .seconds(3600)
            guard left > .zero else { return false }
            if let arrival {
                // A socket is there a moment before it answers.
                let limit: Duration = wasSign ? .milliseconds(50) : .seconds(30)
                wasSign = await arrival.happened(within: min(left, limit))
            } else {
                try? await EventLoop.shared.sleep(for: min(left, .seconds(1)))
            }
        }
        return false
    }
}
