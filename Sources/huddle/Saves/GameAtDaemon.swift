import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// A running game, as the daemon knows of it: for as long as the answer to the question is held. A daemon that was started anew is told again.
@Engine
final class GameAtDaemon {
    private let given: GivenValues
    private let console: Console
    /// Which set, by a name that stays when a person gives it another.
    private let set: String
    /// Nil where no daemon has heard of it yet.
    private var playing: NewsLines?
    /// Which game it is there, where several may run at once.
    private var game: Int64?
    private let began = ContinuousClock.now

    /// How soon it is looked again for a daemon of which there is no sign, at first and at last, and after a sign. A socket is there a moment
    /// before it answers.
    private static let patience = (first: Duration.milliseconds(250), last: Duration.seconds(30))
    /// What the daemon takes for one.
    private static let longestWait = Duration.seconds(3600)
    private static let patienceAfterSign = Duration.milliseconds(50)

    /// - Parameter known: the answer that stays open, once it has said that the game may begin, and which game it is there
    init(_ set: String, _ given: GivenValues, _ console: Console, known: (playing: NewsLines, game: Int64?)? = nil) {
        (self.set, self.given, self.console) = (set, given, console)
        (playing, game) = (known?.playing, known?.game)
    }

    // MARK: While it runs

    /// Comes back to the daemon whenever that was started anew, until the task is cancelled.
    func stay() async {
        while !Task.isCancelled {
            do {
                while try await playing?.next() != nil {}
            } catch {
                // It has ended, in whichever way; the next one is told.
            }
            await comeBack()
        }
    }

    private func comeBack() async {
        var wait = Self.patience.first
        while !Task.isCancelled {
            // The watch comes first: what happens after the look is noticed.
            let arrival = watch()
            if let daemon = Daemon.connection(given), let news = try? await goOn(by: daemon) {
                // Standard output is the game's.
                if let sentence = news.sentence { await console.complain(sentence) }
                return
            }
            wait = await pause(arrival, wait)
        }
    }

    private func goOn(by daemon: ControlConnection) async throws -> SessionNews {
        var body = GameBody()
        body.fields.set("played", seconds: (ContinuousClock.now - began) / .seconds(1))
        let lines = try await daemon.news(ControlQuestion("POST", ["v1", "saves", set, "play"], saying: body))
        guard let news = try await lines.next(), news.event == "playing" else {
            throw NoDaemon(at: StateFolder.socket(given))
        }
        (playing, game) = (lines, news.number)
        return news
    }

    // MARK: Afterwards

    /// Has what the game saved kept and handed on. A daemon that is not there just now is waited for, but not one that never was.
    func end(within limit: Duration, telling report: SessionReport) async throws {
        let deadline = ContinuousClock.now + (playing == nil ? .zero : limit)
        var wait = Self.patience.first
        // Of one that says nothing it is told once.
        var teller: Console? = console
        while true {
            let arrival = watch()
            do {
                defer { teller = nil }
                return try await settle(report, within: limit, telling: teller)
            } catch let refusal as PassedOnError {
                throw refusal
            } catch {
                let left = deadline - .now
                guard left > .zero, !Task.isCancelled else { throw error }
                wait = await pause(arrival, min(wait, left))
            }
        }
    }

    private func settle(_ report: SessionReport, within limit: Duration, telling console: Console?) async throws {
        let daemon = try Daemon.required(given, telling: console, startingWithin: limit)
        // One that has not heard of it would take this for the end of all games.
        if game == nil { _ = try await goOn(by: daemon) }
        var body = GameBody()
        if let game { body.fields.set("game", game) }
        body.fields.set("wait", seconds: min(limit, Self.longestWait) / .seconds(1))
        let lines = try await daemon.news(ControlQuestion("POST", ["v1", "saves", set, "played"], saying: body))
        while let news = try await lines.next() { try await report.tell(news) }
    }

    // MARK: Waiting

    private func watch() -> ArrivalWatch? { try? ArrivalWatch(for: Daemon.signs(given), on: .shared) }

    /// Waits for a sign of the daemon, or for a while. Answers for how long to wait the next time.
    private func pause(_ arrival: ArrivalWatch?, _ wait: Duration) async -> Duration {
        guard let arrival else {
            try? await EventLoop.shared.sleep(for: wait)
            return min(wait * 2, Self.patience.last)
        }
        return await arrival.happened(within: wait) ? Self.patienceAfterSign : min(wait * 2, Self.patience.last)
    }
}
