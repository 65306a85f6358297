import LinuxPlatform
import Vocabulary

/// The events of a household and their times. They follow from a seed alone, and a run can leave some out.
struct Plan {
    /// One event and its time.
    struct Step {
        let number: Int
        let time: Duration
        let action: Action
    }

    enum Action: Hashable {
        // Games
        /// A game saves, in that many files.
        case save(machine: Int, game: Int, files: Int)
        /// A game deletes its files and writes them again, with a pause between them in which it holds none open.
        case saveTorn(machine: Int, game: Int, files: Int, pause: Duration)
        /// A game begins under the play lock, saves now and then, and ends.
        case play(machine: Int, game: Int, saves: Int, pause: Duration)
        /// Users of two machines begin a game almost at the same moment.
        case contest(one: Int, other: Int, game: Int, apart: Duration, pause: Duration)
        /// A game has a file open for a while.
        case hold(machine: Int, game: Int, for: Duration)
        /// The folder loses its files.
        case wipe(machine: Int, game: Int)
        /// The disk with the folder is removed, and returns later.
        case vanish(machine: Int, game: Int, for: Duration)

        // Machines
        /// Power fails, and returns later.
        case crash(machine: Int, for: Duration)
        /// Power fails at one of the disk's next calls, and returns later.
        case crashWithin(machine: Int, calls: Int, for: Duration)
        /// The machine shuts down in order, and starts later.
        case shutDown(machine: Int, for: Duration)
        /// All machines sleep: no daemon works, and each deadline passes late.
        case sleep(for: Duration)
        /// A disk gives no answer for a while.
        case stall(machine: Int, for: Duration)
        /// A disk is full for a while.
        case fill(machine: Int, for: Duration)
        /// A disk fails each read and write for a while.
        case fail(machine: Int, for: Duration)
        /// The clock that dates the machine's versions jumps.
        case setClock(machine: Int, by: Duration)
        /// The calendar of all machines jumps.
        case setCalendar(by: Duration)

        // The network
        /// Two machines can't reach each other for a while.
        case cut(one: Int, other: Int, for: Duration)
        /// One direction between two machines is cut for a while. Then the messages of that time arrive.
        case deafen(one: Int, other: Int, for: Duration)
        /// Messages between two machines take up to the time `by` for a while.
        case slow(one: Int, other: Int, by: Duration, for: Duration)
        /// The streams between two machines break, but the connection stays.
        case breakOff(one: Int, other: Int)

        // Users
        case share(machine: Int, game: Int, with: Int)
        case join(machine: Int, game: Int)
        case withdraw(machine: Int, game: Int, from: Int)
        case leave(machine: Int, game: Int)
        case restore(machine: Int, game: Int, pick: UInt64)
        case resolve(machine: Int, game: Int, pick: UInt64)
        case change(machine: Int, game: Int, pick: UInt64)
        /// A user chooses another folder for a game.
        case move(machine: Int, game: Int, number: Int)
        case block(machine: Int, other: Int, for: Duration)
        /// A user pauses a game, or all games, for a time or until the user resumes them.
        case pause(machine: Int, game: Int?, for: Duration?)
        case resume(machine: Int)
        /// A user removes a machine from the household.
        case forget(machine: Int, other: Int)
        /// Users pair two machines.
        case pair(one: Int, other: Int)
        /// A user keeps each machine that other users removed.
        case keep(machine: Int)
        /// A user looks for damage and lets the daemon repair it.
        case cleanUp(machine: Int)
    }

    let machineCount: Int
    let gameCount: Int
    let length: Duration
    /// True if each machine is only paired with the next one, and they vouch for the others.
    let isChain: Bool
    /// A machine with an older program that has no vouching; nil if there is none.
    let older: Int?
    /// True if that machine signs with a key other than its own.
    let isForged: Bool
    /// The games that their first machine shares with the whole household.
    let householdGames: Set<Int>
    /// The number of versions of each game that stay.
    let kept: [Int]
    /// True if play locks are renewed every two minutes. If false, they are renewed as often as in the daemon, which
    /// makes up most of a run's events.
    let isSlow: Bool
    private(set) var steps: [Step] = []

    init(seed: UInt64, days: Int) {
        var dice = Dice(seed)
        // Large households are rare, as in reality.
        machineCount = dice.chance(3, of: 4) ? dice.number(in: 2...4) : dice.number(in: 5...8)
        let gameCount = dice.number(in: 1...3)
        self.gameCount = gameCount
        length = .seconds(days * 86_400)
        older = dice.chance(1, of: 5) ? dice.number(in: 0...machineCount - 1) : nil
        isForged = older != nil && dice.chance(1, of: 2)
        isChain = older == nil && dice.chance(1, of: 2)
        householdGames = Set((0..<gameCount).filter { _ in dice.chance(1, of: 3) })
        kept = (0..<gameCount).map { _ in dice.chance(3, of: 4) ? Self.all : dice.number(in: 1...6) }
        isSlow = dice.chance(9, of: 10)
        var actions: [(Duration, Action)] = []
        for game in 0..<gameCount {
            let home = game % machineCount
            for other in 0..<machineCount where other != home {
                let time = Duration.seconds(dice.number(in: 60...7_200))
                actions.append((time, .share(machine: home, game: game, with: other)))
                actions.append((time + .seconds(dice.number(in: 1...7_200)), .join(machine: other, game: game)))
            }
        }
        // Some households have more events and more faults than others.
        let (perDay, rage) = (dice.number(in: 4...24), dice.number(in: 0...3))
        for day in 0..<days {
            for _ in 0..<perDay {
                let time = Duration.seconds(day * 86_400) + .milliseconds(dice.number(in: 0...86_399_999))
                actions.append((time, dice.action(machineCount, gameCount, rage)))
            }
        }
        // In some households, users leave the pairings as they are, so that in the end all machines must know each
        // other.
        if isChain, dice.chance(1, of: 2) { actions.removeAll { $0.1.changesPairings } }
        let sorted = actions.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        steps = sorted.enumerated().map {
            Step(number: $0.offset, time: $0.element.element.0, action: $0.element.element.1)
        }
    }

    /// More versions than any household makes.
    static let all = 100_000

    /// Removes steps by their numbers.
    mutating func leaveOut(_ numbers: Set<Int>) { steps.removeAll { numbers.contains($0.number) } }

    /// True if users leave the pairings as they were at the start.
    var keepsPairings: Bool { !steps.contains { $0.action.changesPairings } }
}

extension Plan.Action {
    /// The machine whose daemon receives a request; nil if there is none.
    var machine: Int? {
        switch self {
        case .play(let machine, _, _, _), .share(let machine, _, _), .join(let machine, _),
            .withdraw(let machine, _, _),
            .leave(let machine, _), .restore(let machine, _, _), .resolve(let machine, _, _),
            .change(let machine, _, _),
            .move(let machine, _, _), .pause(let machine, _, _), .resume(let machine), .cleanUp(let machine):
            machine
        default: nil
        }
    }

    /// True if a user pairs, blocks or removes a machine.
    fileprivate var changesPairings: Bool {
        switch self {
        case .block, .forget, .pair: true
        default: false
        }
    }
}
