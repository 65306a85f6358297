import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// The users of a household, and their decisions.
@Engine
final class People {
    private unowned let world: World
    private let machines: [SimulatedMachine]

    init(_ world: World) { (self.world, machines) = (world, world.machines) }

    /// Carries out a user's decision.
    func perform(_ action: Plan.Action) async throws {
        switch action {
        case .block(let machine, let other, let duration):
            try await block(machines[machine], machines[other], for: duration)
        case .pause(let machine, let game, let duration):
            guard let keeper = machines[machine].daemon?.keeper, let set = world.sets[game ?? 0] else { return }
            // The user can rely on a pause only once the daemon has stored it. Until then, an earlier pause may hold or
            // not.
            world.promises.decisions.pauses(machine, game, isEndless: false)
            try await keeper.pausing.pause(game == nil ? nil : set, for: duration)
            world.promises.decisions.pauses(machine, game, isEndless: duration == nil)
        case .resume(let machine):
            world.promises.decisions.resumes(machine)
            try await machines[machine].daemon?.keeper.pausing.resume(nil)
        case .forget(let machine, let other): try await forget(machines[machine], machines[other])
        case .pair(let one, let other):
            guard machines[one].daemon != nil, machines[other].daemon != nil else { return }
            try await pair(machines[one], machines[other])
            try await pair(machines[other], machines[one])
        case .keep(let machine):
            for removed in machines[machine].daemon?.keeper.household.removed ?? [] {
                _ = try await machines[machine].daemon?.keeper.household.keep(removed.subject)
            }
        case .cleanUp(let machine): try await machines[machine].daemon?.keeper.upkeep.cleanUp()
        default: try await decide(action)
        }
    }

    /// Carries out a user's decision about a game.
    private func decide(_ action: Plan.Action) async throws {
        switch action {
        case .share(let machine, let game, let other):
            guard let (keeper, set) = running(machine, game) else { return }
            world.promises.decisions.shares(machine, game, with: other)
            try await keeper.sharing.offer(set, to: machines[other].id)
        case .join(let machine, let game):
            guard let (keeper, set) = running(machine, game) else { return }
            world.promises.decisions.beginsAgain(machine, game)
            try await keeper.joining.join(set, at: machines[machine].path(of: game)) {
                $0.retention = world.retention(of: game)
            }
        case .withdraw(let machine, let game, let other):
            guard let (keeper, set) = running(machine, game) else { return }
            try await keeper.sharing.withdraw(set, from: machines[other].id)
            world.promises.decisions.takesBack(machine, game, from: other)
        case .leave(let machine, let game):
            guard let (keeper, set) = running(machine, game) else { return }
            world.promises.decisions.beginsAgain(machine, game)
            world.promises.lineage.leaves(machine, game)
            try await keeper.joining.leave(set)
            world.promises.lineage.leaves(machine, game)
        case .restore(let machine, let game, let pick):
            guard let (keeper, set) = running(machine, game) else { return }
            let versions = try await keeper.versions(of: set).latest(20).filter(\.isWhole)
            guard !versions.isEmpty else { return }
            try await keeper.editor(of: set).restore(versions[Int(pick % UInt64(versions.count))].snapshot.id)
        case .resolve(let machine, let game, let pick):
            guard let (keeper, set) = running(machine, game) else { return }
            let heads = try keeper.report(of: set).versions.heads
            guard heads.count > 1 else { return }
            try await keeper.editor(of: set).resolve(.side(heads[Int(pick % UInt64(heads.count))].id))
        case .change(let machine, let game, let pick):
            guard let (keeper, set) = running(machine, game) else { return }
            try await keeper.settings.change(set) { entry in
                switch pick % 2 {
                case 0: entry.settleMilliseconds = 100 + Int((pick >> 8) % 900)
                default: entry.scope.ignored = try PathPatterns(["*.tmp\(pick % 5)"])
                }
            }
        case .move(let machine, let game, let number):
            guard let (keeper, set) = running(machine, game) else { return }
            let path = "/games/\(game)-\(number)"
            try await keeper.settings.change(set) { $0.path = path }
            machines[machine].moves(game, to: path)
        default: break
        }
    }

    private func running(_ machine: Int, _ game: Int) -> (SaveSyncEngine, SaveSetID)? {
        guard let keeper = machines[machine].daemon?.keeper, let set = world.sets[game] else { return nil }
        return (keeper, set)
    }

    // MARK: Pairings

    private func block(_ machine: SimulatedMachine, _ other: SimulatedMachine, for duration: Duration) async throws {
        guard let daemon = machine.daemon else { return }
        try await daemon.ledger.setPolicy(.block, for: other.id)
        world.promises.decisions.keepsOut(machine.number, other.number, isBlocked: true)
        daemon.node.whenRightsChange(other.id)
        try await Engine.loop.sleep(for: duration)
        try await pair(machine, other)
    }

    private func forget(_ machine: SimulatedMachine, _ other: SimulatedMachine) async throws {
        guard let daemon = machine.daemon else { return }
        try await daemon.ledger.forget(other.id)
        world.promises.decisions.keepsOut(machine.number, other.number, isBlocked: false)
        daemon.node.whenRightsChange(other.id)
    }

    /// Restores a machine to the household of another one. The daemon may have been restarted meanwhile.
    private func pair(_ machine: SimulatedMachine, _ other: SimulatedMachine) async throws {
        guard let daemon = machine.daemon else { return }
        world.promises.decisions.letsIn(machine.number, other.number)
        try await daemon.ledger.pin(other.id)
        try await daemon.ledger.setPolicy(.accept, for: other.id)
        daemon.node.whenRightsChange(other.id)
    }

    // MARK: The end

    /// Ends the pauses that users began.
    func resumeAll() async throws {
        for machine in machines {
            world.promises.decisions.resumes(machine.number)
            try await machine.daemon?.keeper.pausing.resume(nil)
        }
        try await Engine.loop.sleep(for: .seconds(3_600))
    }

    /// Pairs all machines that are not paired.
    func pairAll() async throws {
        for machine in machines {
            for other in machines where other !== machine {
                guard let daemon = machine.daemon, let known = try await daemon.ledger.peer(other.id), known.isPinned,
                    known.policy == .accept
                else {
                    world.trace.add(machine.name, "pairs \(other.name)")
                    try await pair(machine, other)
                    continue
                }
            }
        }
    }

    /// Decides every conflict, and sends each emptied folder as it is.
    func decideAll(_ sets: [SaveSetID]) async throws {
        world.promises.mayBeEmpty = true
        for set in sets {
            for machine in machines {
                guard !machine.isForger, let keeper = machine.daemon?.keeper, let report = try? keeper.report(of: set)
                else { continue }
                if report.versions.heads.count > 1, let side = report.versions.heads.first {
                    try await keeper.editor(of: set).resolve(.side(side.id))
                }
                if report.facts.status == .emptied { try await keeper.editor(of: set).scan(sendingEmptied: true) }
            }
        }
    }
}
