import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// A household that goes through the events of a plan.
@Engine
final class World {
    let machines: [SimulatedMachine]
    let network: SimulatedNetwork
    let trace: Trace
    let plan: Plan
    let time: VirtualTime
    /// The ids of games by number, known once the game's first machine has added it.
    private(set) var sets: [Int: SaveSetID] = [:]
    private(set) lazy var promises = Promises(self)
    private lazy var games = Games(self, seed)
    private lazy var people = People(self)
    private let seed: UInt64
    /// The actions that have not ended, and the engines that received them.
    private var pending: [(action: Plan.Action, keeper: SaveSyncEngine)] = []

    init(_ plan: Plan, seed: UInt64, _ time: VirtualTime, _ trace: Trace, at root: String) {
        (self.plan, self.seed, self.time, self.trace) = (plan, seed, time, trace)
        let network = SimulatedNetwork(Dice(seed ^ 0xA5A5))
        self.network = network
        machines = (0..<plan.machineCount).map {
            SimulatedMachine($0, of: plan, seed: seed, network, at: root, trace)
        }
        for machine in machines {
            machine.heard = { [weak self] machine, event in self?.promises.hears(event, of: machine) }
            machine.audited = { [weak self] machine, event, peer in
                self?.promises.wasAudited(event, about: peer, on: machine)
            }
        }
    }

    /// Runs the plan, and checks the result.
    func run() async {
        do {
            for machine in machines { try await boot(machine) }
            for game in 0..<plan.gameCount {
                let home = machines[game % machines.count]
                games.saveFirst(home, game)
                sets[game] = try await home.daemon?.keeper.joining.add(
                    SaveSetName("game\(game)"),
                    at: home.path(of: game)
                ) {
                    $0.retention = retention(of: game)
                    if plan.householdGames.contains(game) { $0.audience = .household }
                }
            }
            let start = ContinuousClock.Instant.current
            for step in plan.steps where promises.violation == nil {
                try await Engine.loop.sleep(until: start + step.time)
                trace.add("\(step.number)", "\(step.action)")
                promises.look()
                // Runs at the same time as earlier steps: a user does not wait for another, and a power cut waits for
                // no user.
                Task(executorPreference: EventLoop.shared.taskExecutor) { await self.perform(step.action) }
            }
            try await Engine.loop.sleep(until: start + plan.length)
            if promises.violation == nil { try await rest() }
        } catch let error as Violation {
            promises.violates(error)
        } catch {
            promises.violates(Violation(words: "the plan ended early: \(error)"))
        }
        for machine in machines { await machine.shutDown() }
    }

    /// True if the game runs on any machine.
    func isPlayed(_ game: Int) -> Bool { machines.contains { games.areRunning($0, game) } }

    func retention(of game: Int) -> RetentionRule {
        plan.kept[game] == Plan.all
            ? RetentionRule(count: Plan.all) : RetentionRule(count: plan.kept[game], age: .seconds(86_400))
    }

    private func boot(_ machine: SimulatedMachine) async throws {
        guard machine.daemon == nil else { return }
        let others = machines.filter { other in
            other !== machine && (!plan.isChain || abs(other.number - machine.number) == 1)
        }
        // systemd restarts a daemon that failed, for example because its disk is full.
        while machine.daemon == nil {
            do {
                try await machine.boot(knowing: others)
                trace.add(machine.name, "is on")
                // A change of a game's folder may have been stored just before a power cut.
                for (game, set) in sets {
                    guard let report = try? machine.daemon?.keeper.report(of: set) else { continue }
                    machine.moves(game, to: report.entry.path)
                }
                try await promises.requireMade(on: machine)
            } catch let error as Violation {
                throw error
            } catch {
                trace.add(machine.name, "can't start: \(error)")
                try await Engine.loop.sleep(for: .seconds(60))
            }
        }
    }

    // MARK: Events

    private func perform(_ action: Plan.Action) async {
        let machine = action.machine.map { machines[$0] }
        if let keeper = machine?.daemon?.keeper { pending.append((action, keeper)) }
        await carryOut(action)
        pending.removeAll { $0.action == action }
    }

    private func carryOut(_ action: Plan.Action) async {
        do {
            switch action {
            case .save, .saveTorn, .play, .contest, .hold, .wipe, .vanish: try await games.perform(action)
            case .crash(let machine, let duration): try await crash(machines[machine], for: duration)
            case .crashWithin(let machine, let calls, let duration):
                guard machines[machine].daemon != nil else { return }
                machines[machine].crash(within: calls)
                try await Engine.loop.sleep(for: .seconds(3_600))
                try await crash(machines[machine], for: duration)
                try await boot(machines[machine])
            case .shutDown(let machine, let duration):
                guard machines[machine].daemon != nil else { return }
                await machines[machine].shutDown()
                try await Engine.loop.sleep(for: duration)
                try await boot(machines[machine])
            case .sleep(let duration):
                for machine in machines { machine.isDisturbed() }
                time.stall(Engine.loop, for: duration)
                try await Engine.loop.sleep(for: .milliseconds(1))
                for machine in machines { machine.isDisturbed() }
            case .stall(let machine, let duration): machines[machine].stall(for: duration, time)
            case .fill(let machine, let duration): try await fault(.full, machines[machine], for: duration)
            case .fail(let machine, let duration): try await fault(.failing, machines[machine], for: duration)
            case .setClock(let machine, let change): machines[machine].setClock(by: change)
            case .setCalendar(let change): time.setCalendar(by: change)
            case .cut, .deafen, .slow, .breakOff: try await disturb(action)
            default: try await people.perform(action)
            }
        } catch let error as Violation {
            promises.violates(error)
        } catch {
            trace.add("refused", "\(action): \(error)")
        }
    }

    private func crash(_ machine: SimulatedMachine, for duration: Duration) async throws {
        guard machine.daemon != nil else { return }
        machine.crash()
        try await Engine.loop.sleep(for: duration)
        try await boot(machine)
    }

    private func fault(_ fault: SimulatedDisk.Fault, _ machine: SimulatedMachine, for duration: Duration) async throws {
        machine.hardDisk.begin(fault)
        machine.troubleBegins()
        try await Engine.loop.sleep(for: duration)
        machine.hardDisk.end(fault)
        machine.troubleEnds()
    }

    private func disturb(_ action: Plan.Action) async throws {
        switch action {
        case .cut(let one, let other, let duration):
            let (one, other) = (machines[one], machines[other])
            try await cut([.init(one.id, other.id), .init(other.id, one.id)], one, other, for: duration)
        case .deafen(let one, let other, let duration):
            try await cut([.init(machines[one].id, machines[other].id)], machines[one], machines[other], for: duration)
        case .slow(let one, let other, let delay, let duration):
            let (one, other) = (machines[one], machines[other])
            network.slow(one.id, other.id, by: delay)
            try await disturb(one, other, for: duration)
            network.slow(one.id, other.id, by: nil)
        case .breakOff(let one, let other): network.breakStreams(machines[one].id, machines[other].id)
        default: break
        }
    }

    private func cut(
        _ ways: [SimulatedNetwork.Way],
        _ one: SimulatedMachine,
        _ other: SimulatedMachine,
        for duration: Duration
    ) async throws {
        network.cut(ways)
        try await disturb(one, other, for: duration)
        network.heal(ways)
    }

    private func disturb(_ one: SimulatedMachine, _ other: SimulatedMachine, for duration: Duration) async throws {
        one.troubleBegins()
        other.troubleBegins()
        try await Engine.loop.sleep(for: duration)
        one.troubleEnds()
        other.troubleEnds()
    }

    // MARK: The end

    /// Waits until no fault is left, everything is connected, and users have decided. Then all machines must agree, and
    /// show a true state.
    private func rest() async throws {
        trace.add("*", "rest")
        // Waits for the end of the longest fault, of games, and of starting machines.
        try await Engine.loop.sleep(for: .seconds(120 * 86_400))
        for machine in machines where machine.daemon == nil {
            throw Violation(words: "\(machine.name) is off at the end")
        }
        // If a daemon's power failed before it answered, no answer is expected.
        for (action, keeper) in pending where machines.contains(where: { $0.daemon?.keeper === keeper }) {
            throw Violation(words: "no answer ever comes to \(action)")
        }
        try promises.requirePausesEnd()
        try await people.resumeAll()
        try await promises.requireVouched()
        try await people.pairAll()
        try await Engine.loop.sleep(for: .seconds(86_400))
        try await promises.agree("after the faults")
        try await people.decideAll(sets.values.sorted { "\($0)" < "\($1)" })
        try await Engine.loop.sleep(for: .seconds(3_600))
        try await promises.agree("after users decided")
        try await promises.requireAllVersions()
    }
}
