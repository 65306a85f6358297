import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// A promise that was not kept.
struct Violation: Error {
    let words: String
}

/// A household that lives through a plan, and whether every promise held.
@Engine
final class World {
    let machines: [SimulatedMachine]
    let network: SimulatedNetwork
    let trace: Trace
    let plan: Plan
    let time: VirtualTime
    private var dice: Dice
    /// The sets, by the number of the game, once its first machine has added it.
    private(set) var sets: [Int: SaveSetID] = [:]
    private(set) var violation: Violation?
    /// How many saves games have made.
    private(set) var saveCount = 0
    /// The state of a game on a machine.
    private var busy: Set<[Int]> = []

    init(_ plan: Plan, seed: UInt64, _ time: VirtualTime, _ trace: Trace, at root: String) {
        (self.plan, self.time, self.trace, dice) = (plan, time, trace, Dice(seed ^ 0x5A5A))
        let network = SimulatedNetwork(Dice(seed ^ 0xA5A5))
        self.network = network
        machines = (0..<plan.machineCount).map { SimulatedMachine($0, seed: seed, network, at: root, trace) }
        for machine in machines { machine.heard = { [weak self] machine, news in self?.hears(news, of: machine) } }
    }

    /// Lives through the plan, and looks at what is left.
    func run() async {
        do {
            for machine in machines { try await boot(machine) }
            for game in 0..<plan.gameCount {
                let home = machines[game % machines.count]
                save(home, game, files: 2, "first")
                sets[game] = try await home.daemon?.keeper.joining.add(SaveSetName("game\(game)"), at: path(game)) {
                    $0.retention = RetentionRule(count: 100_000)
                }
            }
            let start = ContinuousClock.Instant.current
            for step in plan.steps where violation == nil {
                try await Engine.loop.sleep(until: start + step.time)
                trace.add("\(step.number)", "\(step.action)")
                // A person does not wait for another, nor a power cut for anybody.
                Task(executorPreference: EventLoop.shared.taskExecutor) { await self.perform(step.action) }
            }
            try await Engine.loop.sleep(until: start + plan.length)
            if violation == nil { try await rest() }
        } catch let error as Violation {
            violates(error)
        } catch {
            violates(Violation(words: "the plan ended early: \(error)"))
        }
        for machine in machines { await machine.shutDown() }
    }

    func violates(_ violation: Violation) {
        guard self.violation == nil else { return }
        self.violation = violation
        trace.add("!", violation.words)
    }

    func path(_ game: Int) -> String { "/games/\(game)" }

    private func boot(_ machine: SimulatedMachine) async throws {
        guard machine.daemon == nil else { return }
        try await machine.boot(knowing: machines.filter { $0 !== machine })
        trace.add(machine.name, "is on")
    }

    // MARK: What happens

    private func perform(_ action: Plan.Action) async {
        do {
            switch action {
            case .save(let machine, let game, let files): await save(slowly: machines[machine], game, files)
            case .play(let machine, let game, let saves, let pause):
                try await play(machines[machine], game, saves: saves, pause: pause)
            case .hold(let machine, let game, let duration):
                await hold(machines[machine], game, for: duration)
            case .wipe(let machine, let game): wipe(machines[machine], game)
            case .crash(let machine, let duration):
                guard machines[machine].daemon != nil else { return }
                machines[machine].crash()
                try await Engine.loop.sleep(for: duration)
                try await boot(machines[machine])
            case .shutDown(let machine, let duration):
                guard machines[machine].daemon != nil else { return }
                await machines[machine].shutDown()
                try await Engine.loop.sleep(for: duration)
                try await boot(machines[machine])
            case .cut(let one, let other, let duration):
                network.cut(machines[one].id, machines[other].id)
                try await Engine.loop.sleep(for: duration)
                network.heal(machines[one].id, machines[other].id)
            case .stall(let machine, let duration): machines[machine].stall(for: duration, time)
            case .fill(let machine, let duration):
                machines[machine].fillDisk(true)
                try await Engine.loop.sleep(for: duration)
                machines[machine].fillDisk(false)
            case .setClock(let machine, let change): machines[machine].setClock(by: change)
            case .block(let machine, let other, let duration):
                try await block(machines[machine], machines[other], for: duration)
            case .share, .join, .withdraw, .leave, .restore, .resolve, .change:
                try await decide(action)
            }
        } catch let error as Violation {
            violates(error)
        } catch {
            trace.add("refused", "\(action): \(error)")
        }
    }

    /// The decisions of a user about a game.
    private func decide(_ action: Plan.Action) async throws {
        switch action {
        case .share(let machine, let game, let other):
            guard let keeper = machines[machine].daemon?.keeper, let set = sets[game] else { return }
            try await keeper.sharing.offer(set, to: machines[other].id)
        case .join(let machine, let game):
            guard let keeper = machines[machine].daemon?.keeper, let set = sets[game] else { return }
            try await keeper.joining.join(set, at: path(game)) { $0.retention = RetentionRule(count: 100_000) }
        case .withdraw(let machine, let game, let other):
            guard let keeper = machines[machine].daemon?.keeper, let set = sets[game] else { return }
            try await keeper.sharing.withdraw(set, from: machines[other].id)
        case .leave(let machine, let game):
            guard let keeper = machines[machine].daemon?.keeper, let set = sets[game] else { return }
            try await keeper.joining.leave(set)
        case .restore(let machine, let game, let pick):
            guard let keeper = machines[machine].daemon?.keeper, let set = sets[game] else { return }
            let versions = try await keeper.versions(of: set).latest(20).filter(\.isWhole)
            guard !versions.isEmpty else { return }
            try await keeper.editor(of: set).restore(versions[Int(pick % UInt64(versions.count))].snapshot.id)
        case .resolve(let machine, let game, let pick):
            guard let keeper = machines[machine].daemon?.keeper, let set = sets[game] else { return }
            let heads = try keeper.report(of: set).heads
            guard heads.count > 1 else { return }
            try await keeper.editor(of: set).resolve(.side(heads[Int(pick % UInt64(heads.count))].id))
        case .change(let machine, let game, let pick):
            guard let keeper = machines[machine].daemon?.keeper, let set = sets[game] else { return }
            try await keeper.settings.change(set) { entry in
                switch pick % 2 {
                case 0: entry.settleMilliseconds = 100 + Int(pick >> 8 % 900)
                default: entry.scope.ignored = try PathPatterns(["*.tmp\(pick % 5)"])
                }
            }
        default: break
        }
    }

    private func block(_ machine: SimulatedMachine, _ other: SimulatedMachine, for duration: Duration) async throws {
        for policy in [Policy.block, .accept] {
            // Its daemon may be another one by then.
            guard let daemon = machine.daemon else { continue }
            try await daemon.ledger.setPolicy(policy, for: other.id)
            daemon.node.whenRightsChange(other.id)
            if policy == .block { try await Engine.loop.sleep(for: duration) }
        }
    }

    // MARK: Games

    /// Each file of one save holds the same words, so that a folder with parts of two shows it.
    private func contents(_ machine: SimulatedMachine, _ game: Int, _ occasion: String) -> [UInt8] {
        saveCount += 1
        return Array("save \(saveCount) of game \(game) by \(machine.name), \(occasion)".utf8)
    }

    private func save(_ machine: SimulatedMachine, _ game: Int, files: Int, _ occasion: String) {
        let bytes = contents(machine, game, occasion)
        machine.folder(path(game)).write { state in
            state.files = Dictionary(uniqueKeysWithValues: (0..<files).map { ("slot\($0)", bytes) })
        }
    }

    /// A save of several files, with a moment between each two; the game has one open until all are there.
    private func save(slowly machine: SimulatedMachine, _ game: Int, _ files: Int) async {
        guard begin(machine, game) else { return }
        defer { busy.remove([machine.number, game]) }
        let (folder, bytes) = (machine.folder(path(game)), contents(machine, game, "slow"))
        // A game does not mix its files with others: it begins with what it will leave.
        folder.write { state in
            state.writer = "game"
            state.files = state.files.filter {
                ($0.key.dropFirst(4)).allSatisfy(\.isNumber) && Int($0.key.dropFirst(4)) ?? 99 < files
            }
        }
        for number in 0..<files {
            folder.write { $0.files["slot\(number)"] = bytes }
            try? await Engine.loop.sleep(for: .milliseconds(dice.number(in: 1...2_000)))
        }
        folder.write { $0.writer = nil }
    }

    private func begin(_ machine: SimulatedMachine, _ game: Int) -> Bool {
        busy.insert([machine.number, game]).inserted
    }

    /// The steps of `huddle play`.
    private func play(_ machine: SimulatedMachine, _ game: Int, saves: Int, pause: Duration) async throws {
        guard let keeper = machine.daemon?.keeper, let set = sets[game], begin(machine, game) else { return }
        defer { busy.remove([machine.number, game]) }
        _ = try? await keeper.connections.gather(set, within: .seconds(3))
        let number = try await keeper.play(of: set).begin()
        trace.add(machine.name, "plays game\(game)")
        for _ in 0..<saves {
            try await Engine.loop.sleep(for: pause)
            save(machine, game, files: 1 + Int(dice.next() % 3), "playing")
        }
        try await Engine.loop.sleep(for: pause)
        // The daemon that the game began with may have ended.
        try await keeper.play(of: set).end(game: number)
    }

    private func hold(_ machine: SimulatedMachine, _ game: Int, for duration: Duration) async {
        guard begin(machine, game) else { return }
        defer { busy.remove([machine.number, game]) }
        machine.folder(path(game)).write { $0.writer = "game" }
        try? await Engine.loop.sleep(for: duration)
        save(machine, game, files: 2, "held")
        machine.folder(path(game)).write { $0.writer = nil }
    }

    private func wipe(_ machine: SimulatedMachine, _ game: Int) {
        guard !busy.contains([machine.number, game]) else { return }
        machine.folder(path(game)).write { $0.files = [:] }
    }
}
