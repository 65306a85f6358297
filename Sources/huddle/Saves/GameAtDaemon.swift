import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// A running game. The daemon knows that it runs as long as this command holds the response of its request open. After
/// a restart of the daemon, the command reports the game to the new one.
@Engine
final class GameAtDaemon {
    private let given: GivenValues
    private let console: Console
    /// The name of the game, or its ID once the daemon has allowed the start. The ID stays if the user renames the
    /// game.
    private let set: String
    /// The open response. nil if no daemon knows yet that the game runs.
    private var playing: ResponseEvents?
    /// The daemon's number of this run. A game may run several times at once.
    private var game: Int64?
    private let began = ContinuousClock.now

    /// The first and the longest pause between tries to reach a daemon, while there is no sign of one. After a sign the
    /// pause is shorter, since a socket file exists before the daemon responds.
    private static let patience = (first: Duration.milliseconds(250), last: Duration.seconds(30))
    /// The longest wait that the API accepts.
    private static let longestWait = Duration.seconds(3600)
    private static let patienceAfterSign = Duration.milliseconds(50)

    /// - Parameter known: the response that allowed the game to start, which is still open, and the number of the run
    init(_ set: String, _ given: GivenValues, _ console: Console, known: (playing: ResponseEvents, game: Int64?)? = nil)
    {
        (self.set, self.given, self.console) = (set, given, console)
        (playing, game) = (known?.playing, known?.game)
    }

    // MARK: While the game runs

    /// Reports the running game to each new daemon after a restart, until the task is cancelled.
    func stayConnected() async {
        while !Task.isCancelled {
            do {
                while try await playing?.next() != nil {}
            } catch {
                // The daemon has ended, perhaps by a crash. The next daemon learns of the game below.
            }
            await reconnect()
        }
    }

    private func reconnect() async {
        var wait = Self.patience.first
        while !Task.isCancelled {
            // The watch begins before the try, so that it notices a daemon that starts after the try.
            let arrival = watch()
            if let daemon = Daemon.connection(given), let line = try? await tellGameRuns(to: daemon) {
                // Standard output belongs to the game, so this goes to standard error.
                if let sentence = line.sentence { await console.complain(sentence) }
                return
            }
            wait = await pause(arrival, wait)
        }
    }

    private func tellGameRuns(to daemon: ControlConnection) async throws -> DaemonLine {
        var body = GameBody()
        body.fields.set("played", seconds: (ContinuousClock.now - began) / .seconds(1))
        let lines = try await daemon.events(Endpoint.playGame.request(set, saying: body))
        guard let line = try await lines.next(), case .playing(let event) = line.event else {
            throw NoDaemon(at: StateFolder.socket(given))
        }
        (playing, game) = (lines, event.number)
        return line
    }

    // MARK: After the game

    /// Lets the daemon store and send the game's saves. Waits for a daemon that restarts now, but not if no daemon ever
    /// knew of the game.
    func end(within limit: Duration, telling report: SessionReport) async throws {
        let deadline = ContinuousClock.now + (playing == nil ? .zero : limit)
        var wait = Self.patience.first
        // The remark that a daemon does not respond is printed only once.
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
        // A daemon that does not know this run would take the request below as the end of all runs of the game.
        if game == nil { _ = try await tellGameRuns(to: daemon) }
        var body = GameBody()
        if let game { body.fields.set("game", game) }
        body.fields.set("wait", seconds: min(limit, Self.longestWait) / .seconds(1))
        let lines = try await daemon.events(Endpoint.endGame.request(set, saying: body))
        while let line = try await lines.next() { try await report.tell(line) }
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
