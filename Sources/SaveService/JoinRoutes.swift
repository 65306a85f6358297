import Control
import Household
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Sharing and joining. A game that another machine of the household shares already is joined, not shared a second
/// time.
@Engine
struct JoinRoutes: GameRoutes {
    let games: GameAccess

    var table: [ControlRoute] {
        [
            ControlRoute(.addGame) { call in
                try await self.add(call)
            },
            ControlRoute(.joinGame) { call in
                try await self.join(call)
            },
        ]
    }

    private func add(_ call: RouteCall) async throws -> RouteAnswer {
        let (fields, settings) = try SaveSettings.read(call, ["name", "path", "files", "alone"])
        guard let path = try RouteCall.asked({ try fields.text("path").map(GameAccess.whole) }) else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“path” is missing",
                nextStep: "name the folder"
            )
        }
        let name = try SaveSetName(try RouteCall.asked { try fields.text("name") } ?? SaveSettings.name(of: path))
        guard !engine.reports().contains(where: { $0.entry.name == name }) else { throw HouseholdError.nameTaken(name) }
        let chosen = try SaveSettings.chosen(fields)
        let isAlone = try RouteCall.asked { try fields.flag("alone") } ?? false
        if !isAlone, let offered = try await offer(of: name, chosen, in: path) {
            return try await join(offered, at: path, named: name, settings)
        }
        let set = try await engine.joining.add(name, at: path) { entry in
            try settings.apply(to: &entry)
            entry.chosen = chosen
        }
        let report = try engine.report(of: set)
        var line = await games.described(report)
        if report.leftOut.count > 1 { line.append(SaveWording.lines(report.leftOut)) }
        return .lines([line, DaemonLine.done()])
    }

    /// The offer that the user means by sharing a folder under this name. It is an offer of another machine of the
    /// household, or the same game in the same folder, which this machine has left.
    ///
    /// Without this, two machines that share the same game have two games of one name that never sync.
    private func offer(of name: SaveSetName, _ chosen: ChosenNames?, in path: String) async throws -> OfferedSet? {
        let named = try await engine.joining.offers().filter { $0.offer.name == name && $0.offer.chosen == chosen }
        var others: [OfferedSet] = []
        for offered in named where offered.peer != household.node.id {
            if try await games.isOfHousehold(offered.peer) { others.append(offered) }
        }
        guard Set(others.map(\.offer.set)).count < 2 else { throw HouseholdError.ambiguousOffer("\(name)") }
        return others.first ?? named.last { $0.folder == path }
    }

    private func join(_ call: RouteCall) async throws -> RouteAnswer {
        let (fields, settings) = try SaveSettings.read(call, ["name", "path", "peer"] + PatternChange.droppingKeys)
        let typed = call.values["offer"] ?? ""
        let path = try RouteCall.asked { try fields.text("path").map(GameAccess.whole) }
        let name = try RouteCall.asked { try fields.text("name") }.map { try SaveSetName($0) }
        var offers = try await engine.joining.offers().filter {
            "\($0.offer.name)" == typed || "\($0.offer.set)" == typed
        }
        var giver: PeerID?
        if let typed = try RouteCall.asked({ try fields.text("peer") }) {
            let peer = try await MachineLookup(household.node.ledger).find(typed)
            offers.removeAll { $0.peer != peer.id }
            giver = peer.id
        }
        let here = (try? engine.find(typed)).flatMap { try? engine.report(of: $0) }
        // If this machine has left several games of one name, the last one is meant.
        let others = offers.filter { $0.peer != household.node.id }
        guard let offered = others.first ?? offers.last else {
            throw here.map { HouseholdError.hereAlready($0.entry) } ?? HouseholdError.notOffered(typed)
        }
        // The user agrees to share exactly the files that the list shows.
        guard Set(others.map(\.offer.set)).count < 2, Set(others.map(\.offer.chosen)).count < 2 else {
            throw HouseholdError.ambiguousOffer(typed)
        }
        if let here, name == nil {
            // A left game has the name of a game that is shared here. Then the user means the shared one.
            guard offered.peer != household.node.id else { throw HouseholdError.hereAlready(here.entry) }
            guard path == nil || path == here.entry.path else { throw HouseholdError.hereAlready(here.entry) }
            try await adopt(offered, insteadOf: here)
            return follow(offered)
        }
        let wanted = name ?? offered.offer.name
        guard !engine.reports().contains(where: { $0.entry.name == wanted }) else {
            throw HouseholdError.nameTaken(wanted)
        }
        guard let path = path ?? offered.folder else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“path” is missing",
                nextStep: "name its folder here"
            )
        }
        return try await join(offered, at: path, named: name, from: giver, settings)
    }

    private func join(
        _ offered: OfferedSet,
        at path: String,
        named name: SaveSetName?,
        from giver: PeerID? = nil,
        _ settings: SaveSettings
    ) async throws -> RouteAnswer {
        try await GameAccess.makeFolder(path)
        try await engine.joining.join(offered.offer.set, at: path, named: name, from: giver) {
            try settings.apply(to: &$0)
        }
        return follow(offered)
    }

    /// Answers with the game as soon as its newest save is here, at most after ten seconds. The transfer continues.
    private func follow(_ offered: OfferedSet) -> RouteAnswer {
        let set = offered.offer.set
        return .follow { tell in
            _ = try await self.engine.play(of: set).newest(within: .seconds(10))
            let report = try self.engine.report(of: set)
            try await tell(await wording.joined(report.entry, of: offered.peer))
            try await tell(await self.wording.set(report))
            try await tell(DaemonLine.done())
        }
    }

    /// Joins another machine's game with the folder of a game of the same name that this machine shares itself. The
    /// present files of the folder become a version of the joined game. The versions from before stay under another
    /// name.
    func adopt(_ offered: OfferedSet, insteadOf here: GameReport) async throws {
        let own = here.entry
        guard own.chosen == offered.offer.chosen else { throw HouseholdError.hereAlready(own) }
        // Otherwise both machines could join each other's game at once, which would swap the games. So one of the two
        // must refuse.
        if here.sharers.contains(offered.peer), offered.offer.set.description > own.id.description {
            throw HouseholdError.joinsThere(own.name, await wording.tag(offered.peer))
        }
        let former = try formerName(of: own.name)
        try await engine.settings.change(own.id) { $0.name = former }
        try await engine.joining.leave(own.id)
        do {
            try await engine.joining.join(offered.offer.set, at: own.path, named: own.name, from: offered.peer) {
                entry in
                (entry.scope.local, entry.program) = (own.scope.local, own.program)
                (entry.settleMilliseconds, entry.retention) = (own.settleMilliseconds, own.retention)
                entry.audience = own.audience
                let ignored = own.scope.ignored.lines.filter { !entry.scope.ignored.lines.contains($0) }
                entry.scope.ignored = try PathPatterns(entry.scope.ignored.lines + ignored)
            }
        } catch {
            // The old state is restored. If that fails, too, the game is listed as one that was stopped here.
            try? await engine.joining.join(own.id, at: own.path, named: own.name) { entry in
                (entry.scope, entry.program, entry.rules) = (own.scope, own.program, own.rules)
                (entry.settleMilliseconds, entry.retention) = (own.settleMilliseconds, own.retention)
                entry.audience = own.audience
            }
            throw error
        }
    }

    private func formerName(of name: SaveSetName) throws -> SaveSetName {
        let taken = Set(engine.reports().map { "\($0.entry.name)" })
        let stem = String("\(name)".prefix(48))
        for number in 1... {
            let wanted = "\(stem)-before" + (number == 1 ? "" : "-\(number)")
            if !taken.contains(wanted) { return try SaveSetName(wanted) }
        }
        preconditionFailure("numbers have no end")
    }
}

extension HouseholdError {
    static func joinsThere(_ name: SaveSetName, _ peer: PeerTag) -> HouseholdError {
        HouseholdError(
            ErrorCode(.conflict, "saves.joins-there"),
            "this machine shares a game “\(name)” with \(peer) as well, and one of them must join the other",
            nextStep: "on \(peer), run: huddle join \(name)"
        )
    }

    static func hereAlready(_ set: SaveSetEntry) -> HouseholdError {
        HouseholdError(
            "saves.here-already",
            "the game “\(set.name)” is shared here already, in \(PrintableText(set.path, limit: 4096))",
            nextStep: """
                `huddle list` shows its state; to move its folder: `huddle set \(set.name) --at FOLDER`
                """
        )
    }

    static func notOffered(_ typed: String) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "saves.not-offered"),
            "no machine offers a game “\(PrintableText(typed, limit: 80))”",
            nextStep: """
                share it on the machine that has it: `huddle share`; both must be online and accept each other: \
                `huddle policy`
                """
        )
    }

    static func ambiguousOffer(_ typed: String) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "saves.ambiguous-offer"),
            "several machines offer different games of the name “\(PrintableText(typed, limit: 80))”",
            nextStep: "name the machine with --from"
        )
    }
}
