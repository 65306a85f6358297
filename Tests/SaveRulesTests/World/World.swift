import SaveRules
import TestSupport
import Vocabulary

/// A few machines that share one game, links that come and go, and users who play, choose and restart.
struct World {
    /// The kinds of events besides saves and connections.
    struct Weather: OptionSet {
        let rawValue: Int
        static let restarts = Weather(rawValue: 1)
        static let choices = Weather(rawValue: 2)
        static let retention = Weather(rawValue: 4)
        /// Restores a machine's disk from an earlier state.
        static let disasters = Weather(rawValue: 8)
        static let usual: Weather = [.restarts, .choices, .retention]
    }

    var machines: [WorldMachine]
    private(set) var library = WorldLibrary()
    private(set) var model = WorldModel()
    private var generator: SeededGenerator
    private let weather: Weather
    /// Messages on their way, by sender and receiver.
    private var links: [[Int]: [WorldMessage]] = [:]
    private var saves = 0
    private var backups: [Int: WorldMachine] = [:]
    /// The versions that retention dropped on any machine.
    private(set) var dropped: Set<SnapshotID> = []

    init(seed: UInt64, weather: Weather = .usual) {
        generator = SeededGenerator(seed: seed)
        self.weather = weather
        let rules: [String?] = [[nil], ["rules"], ["old rules", "new rules"], [nil, "rules"]][Int(seed % 4)]
        machines = (0..<([2, 2, 3, 3, 3, 4].randomElement(using: &generator) ?? 2)).map { number in
            WorldMachine(Sample.peer(UInt8(number + 1)), rules: rules[number % rules.count])
        }
    }

    // MARK: - Events

    mutating func step() {
        let here = Int.random(in: 0..<machines.count, using: &generator)
        let there = (here + Int.random(in: 1..<machines.count, using: &generator)) % machines.count
        switch Int.random(in: 0..<40, using: &generator) {
        case 0...1: save(here)
        case 2: capture(here)
        case 3...4: machines[here].applies(library)
        case 5: connect(here, there)
        case 6: cut(here, there)
        case 7: askRules(here)
        case 8 where weather.contains(.choices): choose(here)
        case 9 where weather.contains(.restarts): restart(here)
        case 10 where weather.contains(.choices): restore(here)
        case 11 where weather.contains(.retention): drop(here)
        case 12 where weather.contains(.disasters): backUp(here)
        case 13 where weather.contains(.disasters): putBack(here)
        case _: deliver(here, there)
        }
        collect()
    }

    /// Changes the folder. Most of the time, the machine scans it at once.
    private mutating func save(_ place: Int) {
        saves += 1
        let texts = (0..<Int.random(in: 1...3, using: &generator)).map { "\($0) \(saves / (1 + $0))" }
        machines[place].folder = library.shelve(texts + ["\(saves)"]).manifest
        if Int.random(in: 0..<3, using: &generator) > 0 { capture(place) }
    }

    private mutating func capture(_ place: Int) {
        let time = clock()
        note(machines[place].captures(at: time, library).map { [$0] } ?? [])
    }

    private mutating func askRules(_ place: Int) {
        note(machines[place].asksRules(&library).map { [$0] } ?? [])
    }

    private mutating func choose(_ place: Int) {
        let heads = machines[place].heads.heads
        let choices: [ConflictChoice] = [.mine, .theirs] + heads.map { .snapshot($0) }
        guard heads.count > 1, let choice = choices.randomElement(using: &generator) else { return }
        choose(place, choice)
    }

    mutating func choose(_ place: Int, _ choice: ConflictChoice) {
        let time = clock()
        note(machines[place].decides(choice, at: time, library))
        collect()
    }

    private mutating func restore(_ place: Int) {
        guard let old = machines[place].heads.held.sorted().randomElement(using: &generator) else { return }
        let time = clock()
        note(machines[place].restores(old, at: time, library))
    }

    private mutating func drop(_ place: Int) {
        guard let old = machines[place].heads.held.sorted().randomElement(using: &generator) else { return }
        machines[place].drops(old, library)
        dropped.insert(old)
    }

    private mutating func restart(_ place: Int) {
        for other in machines.indices where other != place { cut(place, other) }
        machines[place].restart(library)
    }

    private mutating func backUp(_ place: Int) { backups[place] = machines[place] }

    /// Restores a machine's disk. Versions that only this machine had are lost, and so is its memory of used numbers.
    private mutating func putBack(_ place: Int) {
        guard let backup = backups[place] else { return }
        for other in machines.indices where other != place { cut(place, other) }
        machines[place] = backup
        machines[place].restart(library)
    }

    /// A clock that is years off and jumps backwards.
    private mutating func clock() -> Int64 { Int64.random(in: -1 << 40...1 << 50, using: &generator) }

    private mutating func note(_ snapshots: [Snapshot]) {
        for snapshot in snapshots { model.add(snapshot) }
    }

    // MARK: - Links

    mutating func connect(_ one: Int, _ other: Int) {
        guard one != other, links[[one, other]] == nil else { return }
        (links[[one, other]], links[[other, one]]) = ([], [])
        machines[one].meets(machines[other].id)
        machines[other].meets(machines[one].id)
        collect()
    }

    mutating func cut(_ one: Int, _ other: Int) {
        guard links.removeValue(forKey: [one, other]) != nil else { return }
        links[[other, one]] = nil
        machines[one].loses(machines[other].id, library)
        machines[other].loses(machines[one].id, library)
        collect()
    }

    private mutating func deliver(_ from: Int, _ to: Int) {
        guard let message = links[[from, to]]?.first else { return }
        links[[from, to]]?.removeFirst()
        machines[to].receives(message, from: machines[from].id, library)
    }

    private mutating func collect() {
        for place in machines.indices {
            for (peer, message) in machines[place].outbox {
                guard let other = machines.firstIndex(where: { $0.id == peer }) else { continue }
                links[[place, other]]?.append(message)
            }
            machines[place].outbox = []
        }
    }

    // MARK: - Quiet

    /// Connects all machines, and lets them work without a user until nothing changes. Returns false if that does not
    /// end.
    mutating func settle() -> Bool {
        for one in machines.indices {
            capture(one)
            for other in machines.indices { connect(one, other) }
        }
        for _ in 0..<5_000 {
            collect()
            for one in machines.indices {
                askRules(one)
                machines[one].applies(library)
                for other in machines.indices where one != other { deliver(one, other) }
            }
            collect()
            if links.values.allSatisfy(\.isEmpty), machines.allSatisfy(\.isQuiet) { return true }
        }
        return false
    }
}
