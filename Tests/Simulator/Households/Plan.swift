import LinuxPlatform
import Vocabulary

/// The events of a household and their times: they follow from a seed alone, and parts of them can be left out.
struct Plan {
    /// Something that happens.
    struct Step {
        let number: Int
        let time: Duration
        let action: Action
    }

    /// The kinds of events.
    enum Action: Hashable {
        // Games
        /// A game saves, in that many files.
        case save(machine: Int, game: Int, files: Int)
        /// A game deletes its files and writes them again, with a pause between them in which it holds none open.
        case saveTorn(machine: Int, game: Int, files: Int, pause: Duration)
        /// A game begins under the play lock, saves now and then, and ends.
        case play(machine: Int, game: Int, saves: Int, pause: Duration)
        /// Users of two machines begin a game in the same moment.
        case contest(one: Int, other: Int, game: Int, apart: Duration, pause: Duration)
        /// A game has a file open for a while.
        case hold(machine: Int, game: Int, for: Duration)
        /// The folder loses its files.
        case wipe(machine: Int, game: Int)
        /// The disk with the folder is pulled out, and is back later.
        case vanish(machine: Int, game: Int, for: Duration)

        // Machines
        /// Power fails, and comes back.
        case crash(machine: Int, for: Duration)
        /// Power fails at one of the next calls of the disk, counted from now, and comes back.
        case crashWithin(machine: Int, calls: Int, for: Duration)
        /// The machine is shut down in order, and started later.
        case shutDown(machine: Int, for: Duration)
        /// All machines sleep: no daemon does anything, and each deadline passes late.
        case sleep(for: Duration)
        /// A disk gives no answer for a while.
        case stall(machine: Int, for: Duration)
        /// A disk is full for a while.
        case fill(machine: Int, for: Duration)
        /// A disk fails each read and write for a while.
        case fail(machine: Int, for: Duration)
        /// The time that a machine gives its versions jumps.
        case setClock(machine: Int, by: Duration)
        /// The calendar of all machines jumps.
        case setCalendar(by: Duration)

        // The network
        /// Two machines can't reach each other for a while.
        case cut(one: Int, other: Int, for: Duration)
        /// Nothing of one machine reaches the other for a while, and all comes back.
        case deafen(one: Int, other: Int, for: Duration)
        /// Messages between two machines take up to this time for a while.
        case slow(one: Int, other: Int, by: Duration, for: Duration)
        /// The streams between two machines break, although their connection stays.
        case breakOff(one: Int, other: Int)

        // People
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
        /// A user pauses a game, or all of them, until a time or until another word.
        case pause(machine: Int, game: Int?, for: Duration?)
        case resume(machine: Int)
        /// A user removes a machine from the household.
        case forget(machine: Int, other: Int)
        /// Users pair two machines.
        case pair(one: Int, other: Int)
        /// A user keeps each machine that others removed.
        case keep(machine: Int)
        /// A user looks for damage, and has it repaired.
        case cleanUp(machine: Int)
    }

    let machineCount: Int
    let gameCount: Int
    let length: Duration
    /// True if each machine is paired with the next one alone, and they vouch for the others.
    let isChain: Bool
    /// A machine of a version that knows no vouching.
    let older: Int?
    /// True if that machine signs with a key that is not its own.
    let isForged: Bool
    /// The games that their first machine shares with the whole household.
    let householdGames: Set<Int>
    /// How many versions of each game stay.
    let kept: [Int]
    /// True if play locks are renewed every two minutes. Else they are as in the daemon, and are most of what happens.
    let isSlow: Bool
    private(set) var steps: [Step] = []

    init(seed: UInt64, days: Int) {
        var dice = Dice(seed)
        // Larger households are rarer, as they are in life.
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
        // How wild a household is, differs.
        let (perDay, rage) = (dice.number(in: 4...24), dice.number(in: 0...3))
        for day in 0..<days {
            for _ in 0..<perDay {
                let time = Duration.seconds(day * 86_400) + .milliseconds(dice.number(in: 0...86_399_999))
                actions.append((time, dice.action(machineCount, gameCount, rage)))
            }
        }
        // In some households users leave the pairings as they are, so that all machines must come to know each other.
        if isChain, dice.chance(1, of: 2) { actions.removeAll { $0.1.changesPairings } }
        let sorted = actions.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        steps = sorted.enumerated().map {
            Step(number: $0.offset, time: $0.element.element.0, action: $0.element.element.1)
        }
    }

    /// As many versions as no household makes.
    static let all = 100_000

    /// Leaves some of the steps out.
    mutating func leaveOut(_ numbers: Set<Int>) { steps.removeAll { numbers.contains($0.number) } }

    /// True if users leave the pairings as they were in the beginning.
    var keepsPairings: Bool { !steps.contains { $0.action.changesPairings } }
}

extension Plan.Action {
    /// The machine whose daemon is asked for something; nil if none is.
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
