import LinuxPlatform
import Vocabulary

/// The decisions of users that still hold.
struct Decisions {
    /// The machines that another machine's user blocks or has removed, with the time of the decision. The key is the
    /// deciding machine's number, then the other's.
    private var keptOut: [[Int]: (since: ContinuousClock.Instant, isBlocked: Bool)] = [:]
    /// The games that a machine's user has revoked from another machine, as machine, game and other machine.
    private var takenBack: Set<[Int]> = []
    /// The pauses of each machine, by game. The key -1 is for a pause of all games.
    private var pauses: [Int: [Int: Pause]] = [:]

    private struct Pause {
        let since: ContinuousClock.Instant
        let isEndless: Bool
    }

    // MARK: Machines

    /// Notes that a user has blocked or removed a machine.
    mutating func keepsOut(_ machine: Int, _ other: Int, isBlocked: Bool) {
        keptOut[[machine, other]] = (.current, isBlocked)
        takenBack = takenBack.filter { $0[0] != machine || $0[2] != other }
    }

    /// Notes that a user is about to pair a machine. After that, it may also return to machines that have removed it.
    mutating func letsIn(_ machine: Int, _ other: Int) {
        keptOut[[machine, other]] = nil
        keptOut = keptOut.filter { $0.key[1] != other || $0.value.isBlocked }
    }

    /// The time since which a machine is blocked or removed; nil if it is neither.
    func keptOut(_ other: Int, by machine: Int) -> ContinuousClock.Instant? {
        keptOut[[machine, other]]?.since
    }

    // MARK: Sharing

    /// Notes that a user has revoked a game from a machine.
    mutating func takesBack(_ machine: Int, _ game: Int, from other: Int) { takenBack.insert([machine, game, other]) }

    /// Notes that a user is about to share a game with a machine.
    mutating func shares(_ machine: Int, _ game: Int, with other: Int) { takenBack.remove([machine, game, other]) }

    /// Notes that a user is about to join or leave a game, which ends earlier decisions about it.
    mutating func beginsAgain(_ machine: Int, _ game: Int) {
        takenBack = takenBack.filter { $0[0] != machine || $0[1] != game }
        pauses[machine]?[game] = nil
    }

    func isTakenBack(_ game: Int, from other: Int, by machine: Int) -> Bool {
        takenBack.contains([machine, game, other])
    }

    // MARK: Pauses

    /// Notes that a user has paused a game, or all games.
    mutating func pauses(_ machine: Int, _ game: Int?, isEndless: Bool) {
        pauses[machine, default: [:]][game ?? -1] = Pause(since: .current, isEndless: isEndless)
    }

    /// Notes that a user is about to end all pauses.
    mutating func resumes(_ machine: Int) { pauses[machine] = nil }

    /// The time since which a game has a pause that only its user ends; nil if it has none.
    func endlessPause(of game: Int, on machine: Int) -> ContinuousClock.Instant? {
        [game, -1].compactMap { pauses[machine]?[$0] }.filter(\.isEndless).map(\.since).min()
    }
}
