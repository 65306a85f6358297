import LinuxPlatform
import Vocabulary

/// Random numbers that follow from a seed.
struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 { state.nextOfSplitMix() }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func chance(_ part: Int, of whole: Int) -> Bool { number(in: 1...whole) <= part }

    /// A random duration. Short and long magnitudes are equally likely.
    mutating func duration(_ magnitudes: ClosedRange<Int>) -> Duration {
        var limit = 1
        for _ in 0..<number(in: magnitudes) { limit *= 4 }
        return .milliseconds(number(in: 1...limit))
    }

    /// A random event of a household.
    /// - Parameter rage: the share of faults and decisions, from 0 to 3; the rest is games
    mutating func action(_ machines: Int, _ games: Int, _ rage: Int) -> Plan.Action {
        let (machine, game) = (number(in: 0...machines - 1), number(in: 0...games - 1))
        let other = (machine + number(in: 1...machines - 1)) % machines
        guard chance(20 + rage * 20, of: 100) else { return play(machine, game, other) }
        switch number(in: 0...2) {
        case 0: return machineFault(machine, game)
        case 1: return networkFault(machine, other)
        default: return decision(machine, game, other)
        }
    }

    private mutating func play(_ machine: Int, _ game: Int, _ other: Int) -> Plan.Action {
        switch number(in: 0...13) {
        case 13:
            .contest(one: machine, other: other, game: game, apart: duration(1...6), pause: duration(8...11))
        case 0...5: .save(machine: machine, game: game, files: number(in: 1...5))
        case 6...9: .play(machine: machine, game: game, saves: number(in: 0...4), pause: duration(8...11))
        case 10: .saveTorn(machine: machine, game: game, files: number(in: 2...4), pause: duration(4...8))
        default: .hold(machine: machine, game: game, for: duration(6...12))
        }
    }

    private mutating func machineFault(_ machine: Int, _ game: Int) -> Plan.Action {
        switch number(in: 0...19) {
        case 17...19: .crashWithin(machine: machine, calls: number(in: 1...60), for: duration(5...12))
        case 16: .vanish(machine: machine, game: game, for: duration(6...12))
        case 0...4: .crash(machine: machine, for: duration(5...16))
        case 5...7: .shutDown(machine: machine, for: duration(5...15))
        case 8...10: .stall(machine: machine, for: duration(6...9))
        case 11: .fill(machine: machine, for: duration(6...12))
        case 12: .fail(machine: machine, for: duration(6...12))
        case 13: .setClock(machine: machine, by: duration(6...19) * (chance(1, of: 2) ? 1 : -1))
        case 14: .setCalendar(by: duration(6...19) * (chance(1, of: 2) ? 1 : -1))
        default: .sleep(for: duration(chance(7, of: 8) ? 6...12 : 12...16))
        }
    }

    private mutating func networkFault(_ machine: Int, _ other: Int) -> Plan.Action {
        switch number(in: 0...6) {
        case 0...2: .cut(one: machine, other: other, for: duration(5...14))
        case 3: .deafen(one: machine, other: other, for: duration(5...12))
        case 4: .slow(one: machine, other: other, by: duration(5...8), for: duration(8...12))
        default: .breakOff(one: machine, other: other)
        }
    }

    private mutating func decision(_ machine: Int, _ game: Int, _ other: Int) -> Plan.Action {
        switch number(in: 0...20) {
        case 0: .share(machine: machine, game: game, with: other)
        case 1...2: .join(machine: machine, game: game)
        case 3: .withdraw(machine: machine, game: game, from: other)
        case 4: .leave(machine: machine, game: game)
        case 5...6: .restore(machine: machine, game: game, pick: next())
        case 7...8: .resolve(machine: machine, game: game, pick: next())
        case 9...10: .change(machine: machine, game: game, pick: next())
        case 11: .block(machine: machine, other: other, for: duration(8...14))
        case 12: .wipe(machine: machine, game: game)
        case 13: .move(machine: machine, game: game, number: number(in: 1...1_000))
        case 14...15:
            .pause(
                machine: machine,
                game: chance(2, of: 3) ? game : nil,
                for: chance(1, of: 2) ? duration(8...14) : nil
            )
        case 16: .resume(machine: machine)
        case 17: .forget(machine: machine, other: other)
        case 18: .pair(one: machine, other: other)
        case 19: .keep(machine: machine)
        default: .cleanUp(machine: machine)
        }
    }
}
