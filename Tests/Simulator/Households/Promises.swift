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

/// The promises that must hold, while much happens and afterwards.
@Engine
final class Promises {
    private unowned let world: World
    private let machines: [SimulatedMachine]
    private(set) var violation: Violation?
    /// The decisions of users.
    var decisions = Decisions()
    /// The versions of the games.
    var lineage = Lineage()
    /// True once users send folders that lost their files.
    var mayBeEmpty = false

    init(_ world: World) { (self.world, machines) = (world, world.machines) }

    func violates(_ violation: Violation) {
        guard self.violation == nil else { return }
        self.violation = violation
        world.trace.add("!", violation.words)
    }

    // MARK: What happens

    func wasAudited(_ event: String, about peer: PeerID, on machine: SimulatedMachine) {
        guard event == "vouched", let other = machines.first(where: { $0.id == peer }),
            decisions.isKeptOut(other.number, by: machine.number)
        else { return }
        violates(Violation(words: "\(machine.name) lets \(other.name) in, which its user keeps out"))
    }

    /// Looks at each thing that a daemon says.
    func hears(_ news: SaveNews, of machine: SimulatedMachine) {
        do {
            let report = try? machine.daemon?.keeper.report(of: news.set)
            if let report, let game = game(news.set) { try requireShares(report, game, machine) }
            switch news.event {
            case .captured(let version):
                try requireWholeFolder(news.set, machine)
                if let report, let game = game(news.set) { try requireOrigin(of: version, report, game, machine) }
            case .applied(let version):
                try requireWholeFolder(news.set, machine)
                try requirePause(news.set, machine, version)
            case .lease(.granted): try requireOnePlayer(news.set, machine)
            default: break
            }
            try requireTruth(news.set)
        } catch let error as Violation {
            violates(error)
        } catch {
            violates(Violation(words: "\(error)"))
        }
    }

    private func game(_ set: SaveSetID) -> Int? { world.sets.first { $0.value == set }?.key }

    /// A folder that no game is writing to holds one save and no part of another, and nothing is put there while a game runs.
    private func requireWholeFolder(_ set: SaveSetID, _ machine: SimulatedMachine) throws {
        guard let game = game(set) else { return }
        let (files, writer, intrusions) = machine.folder(world.path(game)).state.withLock {
            ($0.files, $0.writer, $0.intrusionCount)
        }
        if intrusions > 0 { throw Violation(words: "\(machine.name) changed the folder of game\(game) while it ran") }
        guard writer == nil, Set(files.values).count > 1 else { return }
        throw Violation(words: "\(machine.name) has a torn folder of game\(game): \(files.keys.sorted())")
    }

    /// A version of a folder holds one save, and follows only versions that the folder held.
    private func requireOrigin(of version: SnapshotID, _ report: GameReport, _ game: Int, _ machine: SimulatedMachine)
        throws
    {
        lineage.sees(report.versions.heads + (report.versions.shown.map { [$0] } ?? []))
        guard !mayBeEmpty, let made = report.versions.heads.first(where: { $0.id == version }) else { return }
        try lineage.captures(made, of: game, on: machine.number, machine.folder(world.path(game)))
    }

    /// A machine from which a user took a game back has not got it again.
    private func requireShares(_ report: GameReport, _ game: Int, _ machine: SimulatedMachine) throws {
        for other in machines
        where report.sharers.contains(other.id) && decisions.isTakenBack(game, from: other.number, by: machine.number) {
            throw Violation(
                words: "\(machine.name) shares game\(game) with \(other.name), from which its user took it back"
            )
        }
    }

    /// While a game is paused, no version of another machine comes into its folder.
    private func requirePause(_ set: SaveSetID, _ machine: SimulatedMachine, _ version: SnapshotID) throws {
        guard let game = game(set), let since = decisions.endlessPause(of: game, on: machine.number),
            .current - since > Self.calm, isCalm(machine), let report = try? machine.daemon?.keeper.report(of: set),
            let shown = report.versions.shown, shown.id == version, shown.author != machine.id
        else { return }
        throw Violation(words: "\(machine.name) shows another machine's version of a game that is paused")
    }

    /// Two machines that hear each other, and were not disturbed for a while, don't have the play lock both.
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

    private func isCalm(_ machine: SimulatedMachine) -> Bool { .current - machine.lastTrouble > Self.calm }

    /// No machine says "in sync" while one that is online and shares the game has not its newest version.
    private func requireTruth(_ set: SaveSetID) throws {
        for machine in machines {
            guard let keeper = machine.daemon?.keeper, let report = try? keeper.report(of: set),
                report.facts.status == .inSync
            else { continue }
            for other in machines where other !== machine && report.sharers.contains(other.id) {
                guard let there = other.daemon?.keeper, report.present.contains(other.id) else { continue }
                guard report.versions.heads.allSatisfy({ there.holds($0.id, of: set) }) else {
                    throw Violation(words: "\(machine.name) says in sync, and \(other.name) has not its newest version")
                }
            }
        }
    }

    // MARK: The end

    /// Machines that vouch for each other have all come to know each other, if no user decided otherwise.
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

    /// A pause that has an end ends by itself.
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

    /// Machines that share a game have the same newest versions, and show a state that is true.
    func agree(_ occasion: String) async throws {
        for (game, set) in world.sets.sorted(by: { $0.key < $1.key }) {
            let sharing = machines.filter { $0.daemon.map { (try? $0.keeper.report(of: set)) != nil } ?? false }
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
                try requireShown(report, game, machine, occasion)
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

    private func requireShown(
        _ report: GameReport,
        _ game: Int,
        _ machine: SimulatedMachine,
        _ occasion: String
    ) throws {
        let isConflict = report.versions.heads.count > 1
        if report.play.holder != nil || report.play.isHere {
            throw Violation(words: "\(occasion) \(machine.name) has a player of game\(game), and no game runs")
        }
        switch report.facts.status {
        case .conflict where isConflict, .emptied: return
        case .inSync where !isConflict && report.versions.shown?.id == report.versions.heads.first?.id: break
        // No other machine shares it now.
        case .onlyHere where !isConflict: break
        default:
            throw Violation(
                words: "\(occasion) \(machine.name) shows game\(game) as \(report.facts.status), "
                    + "with \(report.versions.heads.count) newest versions, trouble \(report.trouble.map { "\($0.error)" } ?? "none")"
            )
        }
        try requireFiles(of: report.versions.shown, game, machine, occasion)
    }

    /// The folder holds what the machine says that it shows.
    private func requireFiles(
        of shown: Snapshot?,
        _ game: Int,
        _ machine: SimulatedMachine,
        _ occasion: String
    ) throws {
        let files = machine.folder(world.path(game)).files
        let manifest = try SimulatedPlace.manifest(of: files).encoded
        let expected = shown?.manifest.map(\.id) ?? []
        guard expected != [PieceID(of: manifest, hashedBy: Digest.sha256)], !(shown == nil && files.isEmpty) else {
            return
        }
        throw Violation(
            words: "\(occasion) the folder of game\(game) on \(machine.name) holds something else than it says"
        )
    }

    /// Each version that a daemon said it has made is still whole on some machine, if the game keeps all; else the newest are.
    func requireAllVersions() async throws {
        for (game, set) in world.sets.sorted(by: { $0.key < $1.key }) {
            let made = machines.reduce(into: Set<SnapshotID>()) { $0.formUnion($1.captured[set] ?? []) }
            var (whole, newest) = (Set<SnapshotID>(), Set<SnapshotID>())
            for machine in machines {
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
