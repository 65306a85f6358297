import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Synchronization
import Vocabulary

/// The promises that must hold, while much happens and afterwards.
extension World {
    /// Looks at each thing that a daemon says.
    func hears(_ news: SaveNews, of machine: SimulatedMachine) {
        do {
            switch news.event {
            case .captured, .applied: try requireWholeFolder(news.set, machine)
            default: break
            }
            try requireTruth(news.set)
        } catch let error as Violation {
            violates(error)
        } catch {
            violates(Violation(words: "\(error)"))
        }
    }

    /// A folder that no game is writing to holds one save and no part of another.
    private func requireWholeFolder(_ set: SaveSetID, _ machine: SimulatedMachine) throws {
        guard let game = sets.first(where: { $0.value == set })?.key else { return }
        let state = machine.folder(path(game)).state.withLock { ($0.files, $0.writer) }
        guard state.1 == nil, Set(state.0.values).count > 1 else { return }
        throw Violation(words: "\(machine.name) has a torn folder of game\(game): \(state.0.keys.sorted())")
    }

    /// No machine says "in sync" while one that is online and shares the game has not its newest version.
    private func requireTruth(_ set: SaveSetID) throws {
        for machine in machines {
            guard let keeper = machine.daemon?.keeper, let report = try? keeper.report(of: set) else { continue }
            guard report.facts.status == .inSync else { continue }
            for other in machines where other !== machine && report.sharers.contains(other.id) {
                guard let there = other.daemon?.keeper, report.present.contains(other.id) else { continue }
                guard report.heads.allSatisfy({ there.holds($0.id, of: set) }) else {
                    throw Violation(words: "\(machine.name) says in sync, and \(other.name) has not its newest version")
                }
            }
        }
    }

    /// Once all is on and connected, and no game runs, all agree, and the state that they show is true.
    func rest() async throws {
        trace.add("*", "rest")
        // What was under way ends: the longest fault, a game, a machine that starts.
        try await Engine.loop.sleep(for: .seconds(60 * 86_400))
        for machine in machines where machine.daemon == nil {
            throw Violation(words: "\(machine.name) is off at the end")
        }
        try await unblockAll()
        try await agree("after the faults")
        for set in sets.values.sorted(by: { "\($0)" < "\($1)" }) {
            for machine in machines {
                guard let keeper = machine.daemon?.keeper, let report = try? keeper.report(of: set) else { continue }
                if report.heads.count > 1, let side = report.heads.first {
                    try await keeper.editor(of: set).resolve(.side(side.id))
                }
                if report.facts.status == .emptied { try await keeper.editor(of: set).scan(sendingEmptied: true) }
            }
        }
        try await Engine.loop.sleep(for: .seconds(3_600))
        try await agree("after people decided")
        try await requireAllVersions()
    }

    /// A machine may have been off when its user wanted to end a block.
    private func unblockAll() async throws {
        for machine in machines {
            for other in machines where other !== machine {
                guard let daemon = machine.daemon, try await daemon.ledger.peer(other.id)?.policy != .accept else {
                    continue
                }
                trace.add(machine.name, "unblocks \(other.name)")
                try await daemon.ledger.setPolicy(.accept, for: other.id)
                daemon.node.whenRightsChange(other.id)
            }
        }
        try await Engine.loop.sleep(for: .seconds(86_400))
    }

    private func agree(_ occasion: String) async throws {
        for (game, set) in sets.sorted(by: { $0.key < $1.key }) {
            let sharing = machines.filter { $0.daemon.map { (try? $0.keeper.report(of: set)) != nil } ?? false }
            for machine in sharing {
                guard let keeper = machine.daemon?.keeper else { continue }
                let report = try keeper.report(of: set)
                trace.add(machine.name, "game\(game) \(report.facts.status) \(report.heads.map(\.id.short))")
                for other in sharing where report.sharers.contains(other.id) {
                    guard let there = try other.daemon?.keeper.report(of: set), there.sharers.contains(machine.id)
                    else {
                        continue
                    }
                    guard report.heads.map(\.id) == there.heads.map(\.id) else {
                        throw Violation(
                            words:
                                "\(occasion) \(machine.name) and \(other.name) have different versions of game\(game)"
                        )
                    }
                }
                try requireShown(report, game, machine, occasion)
            }
        }
    }

    private func requireShown(
        _ report: GameReport,
        _ game: Int,
        _ machine: SimulatedMachine,
        _ occasion: String
    ) throws {
        let isConflict = report.heads.count > 1
        switch report.facts.status {
        case .conflict where isConflict, .emptied: return
        case .inSync where !isConflict && report.shown?.id == report.heads.first?.id: return
        // No other machine shares it now.
        case .onlyHere where !isConflict: return
        default:
            throw Violation(
                words: "\(occasion) \(machine.name) shows game\(game) as \(report.facts.status), "
                    + "with \(report.heads.count) newest versions, trouble \(report.trouble.map { "\($0.error)" } ?? "none")"
            )
        }
    }

    /// Each version that a daemon said it has made is still whole on some machine.
    private func requireAllVersions() async throws {
        for (game, set) in sets {
            let made = machines.reduce(into: Set<SnapshotID>()) { $0.formUnion($1.captured[set] ?? []) }
            var whole: Set<SnapshotID> = []
            for machine in machines {
                guard let keeper = machine.daemon?.keeper else { continue }
                whole.formUnion(try await keeper.keptVersions(of: set))
            }
            let lost = made.subtracting(whole)
            guard lost.isEmpty else {
                throw Violation(words: "\(lost.count) of \(made.count) versions of game\(game) are lost")
            }
        }
    }
}
