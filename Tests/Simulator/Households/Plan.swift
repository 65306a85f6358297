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
    enum Action {
        /// A game saves, in that many files.
        case save(machine: Int, game: Int, files: Int)
        /// A game begins under the play lock, saves now and then, and ends.
        case play(machine: Int, game: Int, saves: Int, pause: Duration)
        /// A game has a file open for a while.
        case hold(machine: Int, game: Int, for: Duration)
        /// The folder loses its files.
        case wipe(machine: Int, game: Int)
        /// Power fails, and comes back.
        case crash(machine: Int, for: Duration)
        /// The machine is shut down in order, and started later.
        case shutDown(machine: Int, for: Duration)
        /// Two machines can't reach each other for a while.
        case cut(one: Int, other: Int, for: Duration)
        /// A disk gives no answer for a while.
        case stall(machine: Int, for: Duration)
        /// A disk is full for a while.
        case fill(machine: Int, for: Duration)
        /// The calendar clock of a machine jumps.
        case setClock(machine: Int, by: Duration)
        case share(machine: Int, game: Int, with: Int)
        case join(machine: Int, game: Int)
        case withdraw(machine: Int, game: Int, from: Int)
        case leave(machine: Int, game: Int)
        case restore(machine: Int, game: Int, pick: UInt64)
        case resolve(machine: Int, game: Int, pick: UInt64)
        case change(machine: Int, game: Int, pick: UInt64)
        case block(machine: Int, other: Int, for: Duration)
    }

    let machineCount: Int
    let gameCount: Int
    let length: Duration
    private(set) var steps: [Step] = []

    init(seed: UInt64, days: Int) {
        var dice = Dice(seed)
        machineCount = dice.number(in: 2...5)
        gameCount = dice.number(in: 1...3)
        length = .seconds(days * 86_400)
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
        let sorted = actions.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        steps = sorted.enumerated().map {
            Step(number: $0.offset, time: $0.element.element.0, action: $0.element.element.1)
        }
    }

    /// Leaves some of the steps out.
    mutating func leaveOut(_ numbers: Set<Int>) { steps.removeAll { numbers.contains($0.number) } }
}

/// Numbers that follow from a seed.
struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 { state.nextOfSplitMix() }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func chance(_ part: Int, of whole: Int) -> Bool { number(in: 1...whole) <= part }

    /// Short ones are as likely as long ones.
    mutating func duration(_ magnitudes: ClosedRange<Int>) -> Duration {
        var limit = 1
        for _ in 0..<number(in: magnitudes) { limit *= 4 }
        return .milliseconds(number(in: 1...limit))
    }

    fileprivate mutating func action(_ machines: Int, _ games: Int, _ rage: Int) -> Plan.Action {
        let (machine, game) = (number(in: 0...machines - 1), number(in: 0...games - 1))
        let other = (machine + number(in: 1...machines - 1)) % machines
        // Most of what happens is that people play.
        guard chance(20 + rage * 20, of: 100) else {
            switch number(in: 0...5) {
            case 0...2: return .save(machine: machine, game: game, files: number(in: 1...5))
            case 3...4:
                return .play(machine: machine, game: game, saves: number(in: 0...4), pause: duration(8...11))
            default: return .hold(machine: machine, game: game, for: duration(6...12))
            }
        }
        switch number(in: 0...24) {
        case 0...3: return .crash(machine: machine, for: duration(5...16))
        case 4...5: return .shutDown(machine: machine, for: duration(5...15))
        case 6...10: return .cut(one: machine, other: other, for: duration(5...14))
        case 11...12: return .stall(machine: machine, for: duration(6...9))
        case 13 where chance(1, of: 2): return .fill(machine: machine, for: duration(6...12))
        case 13: return .setClock(machine: machine, by: duration(6...18) * (chance(1, of: 2) ? 1 : -1))
        case 14: return .share(machine: machine, game: game, with: other)
        case 15...16: return .join(machine: machine, game: game)
        case 17: return .withdraw(machine: machine, game: game, from: other)
        case 18: return .leave(machine: machine, game: game)
        case 19...20: return .restore(machine: machine, game: game, pick: next())
        case 21...22: return .resolve(machine: machine, game: game, pick: next())
        case 23: return .change(machine: machine, game: game, pick: next())
        default:
            return chance(1, of: 2)
                ? .block(machine: machine, other: other, for: duration(8...14)) : .wipe(machine: machine, game: game)
        }
    }
}
