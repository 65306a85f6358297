import Digests
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Synchronization
import Vocabulary

/// A promise that was not kept.
struct Violation: Error {
    let words: String
}

/// The promises that must hold during the events of a run and after them.
@Engine
final class Promises {
    private unowned let world: World
    private let machines: [SimulatedMachine]
    private(set) var violation: Violation?
    var decisions = Decisions()
    var lineage = Lineage()
    /// The states that should not last, with the time since which they have lasted.
    private var lasting: [[Int]: (since: ContinuousClock.Instant, heads: [SnapshotID])] = [:]
    /// The version that each machine last showed, by machine and game.
    private var shown: [[Int]: SnapshotID] = [:]
    /// The state that a run of a daemon last reported, by machine and game.
    private var told: [[Int]: (of: ObjectIdentifier, status: GameStatus)] = [:]
    /// True once users send emptied folders.
    var mayBeEmpty = false

    init(_ world: World) { (self.world, machines) = (world, world.machines) }

    func violates(_ violation: Violation) {
        guard self.violation == nil else { return }
        self.violation = violation
        world.trace.add("!", violation.words)
    }

    // MARK: Events

    func wasAudited(_ event: String, about peer: PeerID, on machine: SimulatedMachine) {
        guard event == "vouched", let other = machines.first(where: { $0.id == peer }),
            decisions.keptOut(other.number, by: machine.number) != nil
        else { return }
        violates(Violation(words: "\(machine.name) lets \(other.name) in, which its user keeps out"))
    }

    /// Checks each event that a daemon reports.
    func hears(_ event: SaveSyncEvent, of machine: SimulatedMachine) {
        do {
            let report = try? machine.daemon?.keeper.report(of: event.set)
            if let report, let game = game(event.set) {
                lineage.sees(report.versions.heads)
                try requireShares(report, game, machine)
                try requireAuthors(report, machine)
            }
            switch event.change {
            case .captured(let version):
                try requireWholeFolder(event.set, machine)
                if let report, let game = game(event.set) { try requireOrigin(of: version, report, game, machine) }
            case .applied(let version):
                try requireWholeFolder(event.set, machine)
                try requirePause(event.set, machine, version)
            case .lease(.granted): try requireOnePlayer(event.set, machine)
            case .status(let status):
                if let game = game(event.set), let keeper = machine.daemon?.keeper {
                    told[[machine.number, game]] = (ObjectIdentifier(keeper), status)
                }
            default: break
            }
            try requireTruth(event.set)
            if let report, let game = game(event.set) { shown[[machine.number, game]] = report.versions.shown?.id }
        } catch let error as Violation {
            violates(error)
        } catch {
            violates(Violation(words: "\(error)"))
        }
    }

    /// Checks all machines between two events, because no daemon reports an event that should have happened and did
    /// not.
    func look() {
        do {
            for (game, set) in world.sets.sorted(by: { $0.key < $1.key }) {
                try requireTruth(set)
                for machine in machines {
                    guard let report = try? machine.daemon?.keeper.report(of: set) else { continue }
                    shown[[machine.number, game]] = report.versions.shown?.id
                    try requireOnePlayer(set, machine)
                    try requireKeptOut(report, machine)
                    try requirePaused(report, game, machine)
                    try requireConnections(report, game, set, machine)
                    try requireProgress(report, game, set, machine)
                }
            }
        } catch let error as Violation {
            violates(error)
        } catch {
            violates(Violation(words: "\(error)"))
        }
    }

    /// Requires that no machine syncs with a machine that its user has blocked or removed.
    private func requireKeptOut(_ report: GameReport, _ machine: SimulatedMachine) throws {
        for other in machines where report.present.contains(other.id) {
            guard let since = decisions.keptOut(other.number, by: machine.number), .current - since > Self.calm,
                machine.isCalm(for: Self.calm)
            else { continue }
            throw Violation(words: "\(machine.name) syncs with \(other.name), which its user keeps out")
        }
    }

    /// Requires that a pause holds until its user ends it, also after a restart.
    private func requirePaused(_ report: GameReport, _ game: Int, _ machine: SimulatedMachine) throws {
        guard let since = decisions.endlessPause(of: game, on: machine.number), .current - since > .seconds(60),
            report.facts.pause == nil
        else { return }
        throw Violation(words: "\(machine.name) syncs game\(game), which its user has paused")
    }

    /// Requires that undisturbed machines that share a game connect.
    private func requireConnections(
        _ report: GameReport,
        _ game: Int,
        _ set: SaveSetID,
        _ machine: SimulatedMachine
    ) throws {
        for other in machines where other !== machine && report.sharers.contains(other.id) {
            let isApart =
                if let there = try? other.daemon?.keeper.report(of: set) {
                    isCalm(machine) && isCalm(other) && there.sharers.contains(machine.id)
                        && report.facts.pause == nil && there.facts.pause == nil && !world.plan.isForged
                        && decisions.keptOut(other.number, by: machine.number) == nil
                        && decisions.keptOut(machine.number, by: other.number) == nil
                        && !(report.present.contains(other.id) && there.present.contains(machine.id))
                } else { false }
            guard lasts(isApart, [game, machine.number, other.number, 1], []) else { continue }
            throw Violation(
                words: "\(machine.name) and \(other.name) share game\(game), and are not connected for hours"
            )
        }
    }

    /// Requires that connected, undisturbed machines get the same newest versions, and show them.
    private func requireProgress(_ report: GameReport, _ game: Int, _ set: SaveSetID, _ machine: SimulatedMachine)
        throws
    {
        let (isCalm, heads) = (isCalm(report, game, machine), report.versions.heads.map(\.id))
        for other in machines where other !== machine {
            let there = try? other.daemon?.keeper.report(of: set)
            let isUnlike = there.map { there in
                isCalm && report.present.contains(other.id) && there.present.contains(machine.id)
                    && self.isCalm(there, game, other) && heads != there.versions.heads.map(\.id)
            }
            guard lasts(isUnlike == true, [game, machine.number, other.number], heads) else { continue }
            throw Violation(
                words:
                    "\(machine.name) and \(other.name) are connected for hours, and have different versions of game\(game)"
            )
        }
        let isShown = heads.count != 1 || report.facts.status == .emptied || report.versions.shown?.id == heads.first
        guard lasts(isCalm && !isShown, [game, machine.number], heads) else { return }
        throw Violation(words: "\(machine.name) has had a version of game\(game) for hours, and does not show it")
    }

    /// True if nothing keeps a machine from finishing its work on a game.
    private func isCalm(_ report: GameReport, _ game: Int, _ machine: SimulatedMachine) -> Bool {
        isCalm(machine) && !machine.isForger && report.facts.pause == nil && !world.isPlayed(game)
            && report.play.holder == nil && !report.play.isHere
    }

    /// True if a state has lasted for hours, with the same versions at each check.
    private func lasts(_ isSo: Bool, _ place: [Int], _ heads: [SnapshotID]) -> Bool {
        guard isSo else {
            lasting[place] = nil
            return false
        }
        guard let known = lasting[place], known.heads == heads else {
            lasting[place] = (.current, heads)
            return false
        }
        return .current - known.since > Self.patience
    }

    private static let patience = Duration.seconds(3 * 3_600)

    /// Requires that the machine's versions are signed by their authors, and that none ends a conflict that a user must
    /// decide.
    private func requireAuthors(_ report: GameReport, _ machine: SimulatedMachine) throws {
        for version in report.versions.heads {
            if version.origin == .merged, !lineage.agree(on: version) {
                throw Violation(words: "\(machine.name) has a version that ends a conflict, and no user has decided it")
            }
            guard let author = machines.first(where: { $0.id == version.author }), author.isForger, author !== machine
            else { continue }
            throw Violation(
                words: "\(machine.name) takes a version of \(author.name) that \(author.name) has not signed"
            )
        }
    }

    /// Requires that after a start a machine has all versions that it reported as made, if the game keeps all.
    func requireMade(on machine: SimulatedMachine) async throws {
        for (game, set) in world.sets.sorted(by: { $0.key < $1.key }) where world.plan.kept[game] == Plan.all {
            let made = lineage.made(machine.number, game)
            guard let keeper = machine.daemon?.keeper, (try? keeper.report(of: set)) != nil,
                let kept = try? await keeper.keptVersions(of: set), machine.daemon?.keeper === keeper
            else { continue }
            let lost = made.intersection(lineage.made(machine.number, game)).subtracting(kept)
            guard lost.isEmpty else {
                throw Violation(words: "\(machine.name) has lost \(lost.count) versions of game\(game) with the power")
            }
        }
    }

    private func game(_ set: SaveSetID) -> Int? { world.sets.first { $0.value == set }?.key }

    /// Requires that a folder has one save and no part of another, unless a game is writing. Nothing may change it
    /// while a game runs.
    private func requireWholeFolder(_ set: SaveSetID, _ machine: SimulatedMachine) throws {
        guard let game = game(set) else { return }
        let (files, writer, intrusions) = machine.folder(of: game).state.withLock {
            ($0.files, $0.writer, $0.intrusionCount)
        }
        if intrusions > 0 { throw Violation(words: "\(machine.name) changed the folder of game\(game) while it ran") }
        guard writer == nil, Set(files.values).count > 1 else { return }
        throw Violation(words: "\(machine.name) has a torn folder of game\(game): \(files.keys.sorted())")
    }

    /// Requires that a version of a folder has one save, and follows only versions that the folder has had.
    private func requireOrigin(of version: SnapshotID, _ report: GameReport, _ game: Int, _ machine: SimulatedMachine)
        throws
    {
        lineage.sees(report.versions.heads + (report.versions.shown.map { [$0] } ?? []))
        guard !mayBeEmpty, let made = report.versions.heads.first(where: { $0.id == version }) else { return }
        try lineage.captures(made, of: game, on: machine.number, machine.folder(of: game))
    }

    /// Requires that a machine does not get a game back that a user revoked from it.
    private func requireShares(_ report: GameReport, _ game: Int, _ machine: SimulatedMachine) throws {
        for other in machines
        where report.sharers.contains(other.id) && decisions.isTakenBack(game, from: other.number, by: machine.number) {
            throw Violation(
                words: "\(machine.name) shares game\(game) with \(other.name), from which its user took it back"
            )
        }
    }

    /// Requires that no version of another machine is applied while a game is paused.
    private func requirePause(_ set: SaveSetID, _ machine: SimulatedMachine, _ version: SnapshotID) throws {
        guard let game = game(set), let since = decisions.endlessPause(of: game, on: machine.number),
            .current - since > Self.calm, isCalm(machine), let report = try? machine.daemon?.keeper.report(of: set),
            let shown = report.versions.shown, shown.id == version, shown.author != machine.id,
            // If the user moves the game, the version that it showed appears in the new folder.
            self.shown[[machine.number, game]] != version
        else { return }
        throw Violation(words: "\(machine.name) shows another machine's version of a game that is paused")
    }

    /// Requires that only one of two machines has the play lock, if they are connected and have been undisturbed for a
    /// while.
    private func requireOnePlayer(_ set: SaveSetID, _ machine: SimulatedMachine) throws {
        guard let own = try? machine.daemon?.keeper.report(of: set), own.play.isHere else { return }
        for other in machines where other !== machine && own.present.contains(other.id) {
            guard let there = try? other.daemon?.keeper.report(of: set), there.play.isHere,
                there.present.contains(machine.id), isCalm(machine), isCalm(other)
            else { continue }
            throw Violation(words: "\(machine.name) and \(other.name) have the play lock both")
        }
    }

    private static let calm = Duration.seconds(1_200)

    private func isCalm(_ machine: SimulatedMachine) -> Bool { machine.isCalm(for: Self.calm) }

    /// Requires that no machine shows “in sync” while an online machine that shares the game does not have its newest
    /// version.
    private func requireTruth(_ set: SaveSetID) throws {
        for machine in machines {
            guard let keeper = machine.daemon?.keeper, let report = try? keeper.report(of: set),
                report.facts.status == .inSync, !machine.isForger
            else { continue }
            guard report.versions.heads.allSatisfy({ keeper.holds($0.id, of: set) }) else {
                throw Violation(words: "\(machine.name) says in sync, and has not its own newest version")
            }
            if report.versions.isNewerAway || report.versions.couldNotStoreNewer || report.paces.here != nil {
                throw Violation(words: "\(machine.name) says in sync, and knows of a newer version")
            }
            for other in machines where other !== machine && report.sharers.contains(other.id) {
                // A machine that has just left the game keeps nothing of it, and its message is on the way.
                guard let there = other.daemon?.keeper, (try? there.report(of: set)) != nil,
                    report.present.contains(other.id)
                else { continue }
                guard report.versions.heads.allSatisfy({ there.holds($0.id, of: set) }) else {
                    throw Violation(words: "\(machine.name) says in sync, and \(other.name) has not its newest version")
                }
            }
        }
    }

    // MARK: The end

    /// Requires that all machines that vouch for each other know each other in the end, unless a user decided
    /// otherwise.
    func requireVouched() async throws {
        guard world.plan.isChain, world.plan.keepsPairings else { return }
        for machine in machines {
            for other in machines where other !== machine {
                guard try await machine.daemon?.ledger.peer(other.id)?.standing == .mine else {
                    throw Violation(words: "\(machine.name) was not paired with \(other.name) by vouching")
                }
            }
        }
    }

    /// Requires that a pause for a time has ended by itself.
    func requirePausesEnd() throws {
        for machine in machines {
            for (game, set) in world.sets.sorted(by: { $0.key < $1.key }) {
                guard let report = try? machine.daemon?.keeper.report(of: set), let end = report.facts.pause?.end,
                    end < WallTime.now.secondsSince1970 - 60
                else { continue }
                throw Violation(words: "\(machine.name) pauses game\(game) beyond the end of the pause")
            }
        }
    }

    /// Requires that machines that share a game have the same newest versions, and show a true state.
    func agree(_ occasion: String) async throws {
        for (game, set) in world.sets.sorted(by: { $0.key < $1.key }) {
            let sharing = machines.filter {
                !$0.isForger && $0.daemon.map { (try? $0.keeper.report(of: set)) != nil } ?? false
            }
            for machine in sharing {
                guard let keeper = machine.daemon?.keeper else { continue }
                let report = try keeper.report(of: set)
                world.trace.add(
                    machine.name,
                    "game\(game) \(report.facts.status) \(report.versions.heads.map(\.id.short))"
                )
                for other in sharing where report.sharers.contains(other.id) {
                    guard let there = try other.daemon?.keeper.report(of: set), there.sharers.contains(machine.id)
                    else {
                        continue
                    }
                    guard report.versions.heads.map(\.id) == there.versions.heads.map(\.id) else {
                        throw Violation(
                            words:
                                "\(occasion) \(machine.name) and \(other.name) have different versions of game\(game)"
                        )
                    }
                }
                // With a forger, no game is in sync: no other machine accepts its versions.
                if !world.plan.isForged { try requireShown(report, game, machine, occasion) }
                try requireTold(report, game, machine, keeper)
                try requireAuthors(report, machine)
                try await requireKept(report, game, set, machine, occasion)
                lineage.sees(report.versions.heads)
                let loose = lineage.loose(of: game, on: machine.number, report.versions.heads)
                guard loose == 0 else {
                    throw Violation(
                        words:
                            "\(occasion) no newest version of game\(game) on \(machine.name) includes \(loose) that it made"
                    )
                }
            }
        }
    }

    /// Requires that a program that follows the events knows the state of a game.
    private func requireTold(
        _ report: GameReport,
        _ game: Int,
        _ machine: SimulatedMachine,
        _ keeper: SaveSyncEngine
    ) throws {
        guard let last = told[[machine.number, game]], last.of == ObjectIdentifier(keeper),
            last.status != report.facts.status
        else { return }
        throw Violation(
            words: "\(machine.name) shows game\(game) as \(report.facts.status), and last reported \(last.status)"
        )
    }

    /// Requires that a machine keeps its newest versions, and as many of its own as the retention rule says.
    private func requireKept(
        _ report: GameReport,
        _ game: Int,
        _ set: SaveSetID,
        _ machine: SimulatedMachine,
        _ occasion: String
    ) async throws {
        guard let kept = try? await machine.daemon?.keeper.keptVersions(of: set) else { return }
        guard report.versions.heads.allSatisfy({ kept.contains($0.id) }) else {
            throw Violation(words: "\(occasion) \(machine.name) has no newest version of game\(game) on its disk")
        }
        guard kept.count >= min(world.plan.kept[game], lineage.made(machine.number, game).count) else {
            throw Violation(words: "\(occasion) \(machine.name) keeps only \(kept.count) versions of game\(game)")
        }
    }

    private func requireShown(
        _ report: GameReport,
        _ game: Int,
        _ machine: SimulatedMachine,
        _ occasion: String
    ) throws {
        let isConflict = report.versions.heads.count > 1
        let behind = machines.filter { other in report.facts.behind.contains { $0.peer == other.id } }
        if report.play.holder != nil || report.play.isHere {
            throw Violation(words: "\(occasion) \(machine.name) has a player of game\(game), and no game runs")
        }
        switch report.facts.status {
        case .conflict where isConflict, .emptied: return
        case .inSync where !isConflict && report.versions.shown?.id == report.versions.heads.first?.id: break
        // No other machine shares the game now.
        case .onlyHere where !isConflict: break
        default:
            throw Violation(
                words: "\(occasion) \(machine.name) shows game\(game) as \(report.facts.status), "
                    + "with \(report.versions.heads.count) newest versions, behind are \(behind.map(\.name)), "
                    + "trouble \(report.trouble.map { "\($0.error)" } ?? "none")"
            )
        }
        try requireFiles(of: report.versions.shown, game, machine, occasion)
    }

    /// Requires that the folder has the files of the version that the machine shows.
    private func requireFiles(
        of shown: Snapshot?,
        _ game: Int,
        _ machine: SimulatedMachine,
        _ occasion: String
    ) throws {
        let files = machine.folder(of: game).files
        let manifest = try SimulatedPlace.manifest(of: files).encoded
        let expected = shown?.manifest.map(\.id) ?? []
        guard expected != [PieceID(of: manifest, hashedBy: Digest.sha256)], !(shown == nil && files.isEmpty) else {
            return
        }
        throw Violation(
            words: "\(occasion) the folder of game\(game) on \(machine.name) holds something else than it says"
        )
    }

    /// Requires that each version that a daemon reported as made is complete on some machine, if the game keeps all.
    /// Otherwise this holds for the newest ones.
    func requireAllVersions() async throws {
        for (game, set) in world.sets.sorted(by: { $0.key < $1.key }) {
            let made = machines.filter { !$0.isForger }.reduce(into: Set<SnapshotID>()) {
                $0.formUnion($1.captured[set] ?? [])
            }
            var (whole, newest) = (Set<SnapshotID>(), Set<SnapshotID>())
            for machine in machines where !machine.isForger {
                guard let keeper = machine.daemon?.keeper else { continue }
                whole.formUnion(try await keeper.keptVersions(of: set))
                newest.formUnion((try? keeper.report(of: set).versions.heads.map(\.id)) ?? [])
            }
            let wanted = world.plan.kept[game] == Plan.all ? made.union(newest) : newest
            let lost = wanted.subtracting(whole)
            guard lost.isEmpty else {
                throw Violation(words: "\(lost.count) of \(wanted.count) versions of game\(game) are lost")
            }
        }
    }
}
