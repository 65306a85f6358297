import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// A running game, which the daemon knows as long as this command holds the response of its request open. After a
/// restart of the daemon, the command tells the new one.
@Engine
final class GameAtDaemon {
    private let given: GivenValues
    private let console: Console
    /// The ID of the game. It stays if the user renames the game meanwhile.
    private let set: String
    /// The open response; nil if no daemon knows the running game yet.
    private var playing: NewsLines?
    /// The daemon's number of this run, since several may run at once.
    private var game: Int64?
    private let began = ContinuousClock.now

    /// The pauses between tries to reach a daemon: the first and the longest, without a sign of one. After a sign the
    /// pause is shorter, since a socket file exists before the daemon answers.
    private static let patience = (first: Duration.milliseconds(250), last: Duration.seconds(30))
    /// The longest wait that the API accepts.
    private static let longestWait = Duration.seconds(3600)
    private static let patienceAfterSign = Duration.milliseconds(50)

    /// - Parameter known: the open response after it has allowed the game to start, and the number of the run
    init(_ set: String, _ given: GivenValues, _ console: Console, known: (playing: NewsLines, game: Int64?)? = nil) {
        (self.set, self.given, self.console) = (set, given, console)
        (playing, game) = (known?.playing, known?.game)
    }

    // MARK: While the game runs

    /// Tells each new daemon after a restart that the game runs, until the task is cancelled.
    func stayConnected() async {
        while !Task.isCancelled {
            do {
                while try await playing?.next() != nil {}
            } catch {
                // The daemon has ended, in whatever way. The next one learns of the game below.
            }
            await reconnect()
        }
    }

    private func reconnect() async {
        var wait = Self.patience.first
        while !Task.isCancelled {
            // The watch begins before the try, so that a daemon that starts after the try is noticed.
            let arrival = watch()
            if let daemon = Daemon.connection(given), let news = try? await tellGameRuns(to: daemon) {
                // Standard output is the game's.
                if let sentence = news.sentence { await console.complain(sentence) }
                return
            }
            wait = await pause(arrival, wait)
        }
    }

    private func tellGameRuns(to daemon: ControlConnection) async throws -> DaemonLine {
        var body = GameBody()
        body.fields.set("played", seconds: (ContinuousClock.now - began) / .seconds(1))
        let lines = try await daemon.news(ControlQuestion("POST", ["v1", "saves", set, "play"], saying: body))
        guard let news = try await lines.next(), case .playing(let event) = news.event else {
            throw NoDaemon(at: StateFolder.socket(given))
        }
        (playing, game) = (lines, event.number)
        return news
    }

    // MARK: After the game

    /// Lets the daemon keep and send the game's saves. If the daemon restarts now, this waits for it; if none has ever
    /// known the game, it does not.
    func end(within limit: Duration, telling report: SessionReport) async throws {
        let deadline = ContinuousClock.now + (playing == nil ? .zero : limit)
        var wait = Self.patience.first
        // The remark that a daemon does not answer is printed once.
        var remarks: Console? = console
        while true {
            let arrival = watch()
            do {
                defer { remarks = nil }
                return try await finish(report, within: limit, telling: remarks)
            } catch let refusal as PassedOnError {
                throw refusal
            } catch {
                let left = deadline - .now
                guard left > .zero, !Task.isCancelled else { throw error }
                wait = await pause(arrival, min(wait, left))
            }
        }
    }

    private func finish(_ report: SessionReport, within limit: Duration, telling console: Console?) async throws {
        let daemon = try Daemon.required(given, telling: console, startingWithin: limit)
        // A daemon that does not know this run would take the request below as the end of all runs.
        if game == nil { _ = try await tellGameRuns(to: daemon) }
        var body = GameBody()
        if let game { body.fields.set("game", game) }
        body.fields.set("wait", seconds: min(limit, Self.longestWait) / .seconds(1))
        let lines = try await daemon.news(ControlQuestion("POST", ["v1", "saves", set, "played"], saying: body))
        while let news = try await lines.next() { try await report.tell(news) }
    }

    // MARK: Waiting

    private func watch() -> ArrivalWatch? { try? ArrivalWatch(for: Daemon.pathsOfStart(given), on: .shared) }

    /// Waits for a sign of the daemon, at most as long as `wait`. Returns the next wait.
    private func pause(_ arrival: ArrivalWatch?, _ wait: Duration) async -> Duration {
        guard let arrival else {
            try? await EventLoop.shared.sleep(for: wait)
            return min(wait * 2, Self.patience.last)
        }
        return await arrival.happened(within: wait) ? Self.patienceAfterSign : min(wait * 2, Self.patience.last)
    }
}
