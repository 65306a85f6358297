import CommandTable
import Control
import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// The daemon of this user, to which every command about the household connects.
enum Daemon {
    /// The work of a command, which is connected to the daemon.
    typealias Work = @Engine @Sendable (_ daemon: ControlConnection) async throws -> ExitCode

    /// Connects to the daemon; nil if none runs.
    ///
    /// - Parameters:
    ///   - console: prints a remark if the daemon is slow to respond
    ///   - limit: the time that a daemon has to respond while it starts
    static func connection(
        _ given: GivenValues,
        telling console: Console? = nil,
        startingWithin limit: Duration = ResponseWatchdog.starting
    ) -> ControlConnection? {
        var watchdog = ResponseWatchdog { await console?.complain($0) }
        let holder = HouseholdPresence.holder(in: StateFolder.path(given))
        // systemd holds the socket and starts the daemon, which may have many folders to scan before it responds.
        if holder?.runs != true { watchdog.last = limit }
        return sockets(given).lazy.compactMap { ControlConnection(to: $0, watchdog) }.first
    }

    /// Connects to the daemon. Throws if none runs.
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

    /// The paths that appear when the daemon starts. A change near them is a reason to try again to connect.
    static func pathsOfStart(_ given: GivenValues) -> [String] {
        sockets(given) + [StateFolder.path(given) + "/control"]
    }

    private static func sockets(_ given: GivenValues) -> [String] {
        let said = HouseholdPresence.holder(in: StateFolder.path(given))?.socket
        // If systemd listens until a program connects, the daemon has not written its own socket path yet.
        return [said, StateFolder.socket(given)].compactMap(\.self)
    }

    // MARK: Requests

    /// Connects to the daemon and runs a command's work.
    ///
    /// - Returns: the exit code of the work; nil if Ctrl-C ended it
    static func ask(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        _ work: @escaping Work
    ) async throws -> ExitCode? {
        try await run(try required(given, telling: console), console, signals, nil, work)
    }

    /// The text for an empty response.
    enum Otherwise {
        /// Printed as a result.
        case result(String)
        /// Printed beside the result, and only for a user.
        case remark(String)
    }

    /// Sends a request, and prints the response.
    ///
    /// - Parameters:
    ///   - head: the text above the first line, for a user
    ///   - otherwise: the text for an empty response
    ///   - farewell: the remark if Ctrl-C ends the wait
    static func show(
        _ request: APIRequest,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        head: (@Sendable (DaemonLine) -> String)? = nil,
        ifNothing otherwise: Otherwise? = nil,
        ifInterrupted farewell: String? = nil
    ) async throws -> ExitCode {
        let asJSON = given[LookingOptions.json]
        let report = SessionReport(asJSON: asJSON, console)
        let code = try await ask(given, console, signals) { daemon in
            let lines = try await daemon.events(request)
            var isEmpty = true
            while let line = try await lines.next() {
                if isEmpty, !asJSON, let head { try await console.say(head(line)) }
                isEmpty = false
                try await report.tell(line)
            }
            if isEmpty, !asJSON, let otherwise {
                switch otherwise {
                case .result(let sentence): try await console.say(sentence)
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
                // The end of the work also ends the other task.
                throw CancellationError()
            }
        }
        return outcome.code
    }

    // MARK: Events

    /// Prints the daemon's events, also those of the next daemon after a restart.
    ///
    /// - Parameter child: the daemon that this command started; the command ends with it
    /// - Returns: nil if Ctrl-C or the limit ended it
    static func follow(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        _ report: SessionReport,
        canAsk: Bool,
        orFor limit: Duration?,
        whileRuns child: AttachedDaemon? = nil
    ) async throws -> ExitCode? {
        let end = limit.map { ContinuousClock.now + $0 }
        var lastNotice: ContinuousClock.Instant?
        while true {
            if let daemon = connection(given, telling: console) {
                do {
                    let left = end.map { max(.zero, $0 - .now) }
                    let code = try await run(daemon, console, signals, left) { daemon in
                        let events = Endpoint.events.request()
                        return try await Conversation(with: daemon, report, canAsk: canAsk).follow(events)
                    }
                    // A response with events does not end by itself, so no code means Ctrl-C or the limit.
                    if code == nil { return nil }
                } catch let error where hasEnded(error) {
                    // The daemon has ended or restarts. The lines below handle that.
                }
                if let child { return await child.reportEnd() }
                // A daemon that is about to end may accept another request and not respond. So the remark is not
                // repeated within five seconds.
                if lastNotice.map({ .now - $0 > .seconds(5) }) ?? true {
                    await report.complain("huddled has ended; waiting until it is back")
                }
                lastNotice = .now
                try await EventLoop.shared.sleep(for: .milliseconds(200))
            } else if let child {
                return await child.reportEnd()
            }
            let isRunning = try await unlessSignalled(signals) { await waitUntilRunning(given, until: end) }
            guard isRunning == true else { return nil }
        }
    }

    private static func hasEnded(_ error: any Error) -> Bool {
        if let error = error as? SystemError {
            return [ECONNRESET, EPIPE, ECONNREFUSED, ENOENT].contains(error.number)
        }
        return (error as? HouseholdError)?.code == "control.broken-off"
    }

    /// Waits until a daemon runs. Returns false if none runs before `end`.
    static func waitUntilRunning(_ given: GivenValues, until end: ContinuousClock.Instant? = nil) async -> Bool {
        var hasChanged = false
        while !Task.isCancelled {
            let arrival = try? ArrivalWatch(for: pathsOfStart(given), on: .shared)
            if connection(given) != nil { return true }
            let left = end.map { $0 - .now } ?? .seconds(3600)
            guard left > .zero else { return false }
            if let arrival {
                // The socket file exists before the daemon listens at it, so the next tries follow quickly.
                let limit: Duration = hasChanged ? .milliseconds(50) : .seconds(30)
                hasChanged = await arrival.happened(within: min(left, limit))
            } else {
                try? await EventLoop.shared.sleep(for: min(left, .seconds(1)))
            }
        }
        return false
    }
}
