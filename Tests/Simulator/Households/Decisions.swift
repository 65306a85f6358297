import LinuxPlatform
import Vocabulary

/// The decisions of users that still hold, as the users remember them.
struct Decisions {
    /// The machines that another one's user blocks or has removed, by both numbers, with the time of the decision.
    private var keptOut: [[Int]: (since: ContinuousClock.Instant, isBlocked: Bool)] = [:]
    /// The games that a machine's user has taken back from another machine, by the three numbers.
    private var takenBack: Set<[Int]> = []
    /// The pauses of each machine, by game; under -1 that of all games.
    private var pauses: [Int: [Int: Pause]] = [:]

    private struct Pause {
        let since: ContinuousClock.Instant
        let isEndless: Bool
    }

    // MARK: Machines

    /// A user has blocked or removed a machine.
    mutating func keepsOut(_ machine: Int, _ other: Int, isBlocked: Bool) {
        keptOut[[machine, other]] = (.current, isBlocked)
        takenBack = takenBack.filter { $0[0] != machine || $0[2] != other }
    }

    /// A user is about to pair a machine. By that, it may also come back to machines that have removed it.
    mutating func letsIn(_ machine: Int, _ other: Int) {
        keptOut[[machine, other]] = nil
        keptOut = keptOut.filter { $0.key[1] != other || $0.value.isBlocked }
    }

    /// The time since which a machine is kept out; nil if it is not.
    func keptOut(_ other: Int, by machine: Int) -> ContinuousClock.Instant? {
        keptOut[[machine, other]]?.since
    }

    // MARK: Sharing

    /// A user has taken a game back from a machine.
    mutating func takesBack(_ machine: Int, _ game: Int, from other: Int) { takenBack.insert([machine, game, other]) }

    /// A user is about to share a game with a machine.
    mutating func shares(_ machine: Int, _ game: Int, with other: Int) { takenBack.remove([machine, game, other]) }

    /// A user is about to join or leave a game, and begins with other machines.
    mutating func beginsAgain(_ machine: Int, _ game: Int) {
        takenBack = takenBack.filter { $0[0] != machine || $0[1] != game }
        pauses[machine]?[game] = nil
    }

    func isTakenBack(_ game: Int, from other: Int, by machine: Int) -> Bool {
        takenBack.contains([machine, game, other])
    }

    // MARK: Pauses

    /// A user has paused a game, or all games.
    mutating func pauses(_ machine: Int, _ game: Int?, isEndless: Bool) {
        pauses[machine, default: [:]][game ?? -1] = Pause(since: .current, isEndless: isEndless)
    }

    /// A user is about to end all pauses.
    mutating func resumes(_ machine: Int) { pauses[machine] = nil }

    /// Since when a game is paused that only its user resumes; nil if it is not.
    func endlessPause(of game: Int, on machine: Int) -> ContinuousClock.Instant? {
        [game, -1].compactMap { pauses[machine]?[$0] }.filter(\.isEndless).map(\.since).min()
    }
}
