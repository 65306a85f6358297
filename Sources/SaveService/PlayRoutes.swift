import Control
import Household
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Vocabulary

/// Requests around a running game.
@Engine
struct PlayRoutes: GameRoutes {
    let games: GameAccess

    var table: [ControlRoute] {
        [
            ControlRoute(.playGame) { call in
                try await self.play(call)
            },
            ControlRoute(.endGame) { call in try await self.endPlay(call) },
        ]
    }

    private func endPlay(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("game", "wait")
        let wait = try Self.wait(fields, or: 0)
        let asked = try RouteCall.asked { try fields.number("game") }
        let game = asked.flatMap { Int(exactly: $0) }
        guard asked == nil || game != nil else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“game” is the number of a line “playing”",
                nextStep: "leave it out to end all runs"
            )
        }
        let set = try set(call)
        return .follow { tell in
            let hasSaved = try await self.engine.play(of: set).end(game: game)
            try await self.engine.play(of: set).spread(within: wait)
            let report = try self.engine.report(of: set)
            try await tell(await PlayWording(household).closing(report, hasSaved: hasSaved))
            try await tell(DaemonLine.done())
        }
    }

    /// The refusals that the user has overridden.
    private struct Insistence {
        /// True to play even if another machine may have a newer save.
        let onAll: Bool
        /// True to play even if a machine was playing when the connection to it broke.
        let onCutOff: Bool
    }

    /// Starts a game, which runs as long as the client reads the response. When the client disconnects, for any reason,
    /// the game counts as over.
    private func play(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("wait", "takeover", "anyway", "cutOff", "played")
        let wait = try Self.wait(fields, or: 10)
        let takeover = try RouteCall.asked { try fields.text("takeover") }
        let insists = Insistence(
            onAll: try RouteCall.asked { try fields.flag("anyway") ?? false },
            onCutOff: try RouteCall.asked { try fields.flag("cutOff") ?? false }
        )
        if let played = try RouteCall.asked({ try fields.number("played") }) {
            guard (0...Self.longestGame).contains(played) else {
                throw HouseholdError(
                    ErrorCode(.invalid, "control.bad-request"),
                    "“played” is the seconds that the game has run, at most a year",
                    nextStep: "leave it out if the game has not started yet"
                )
            }
            let set = try set(call)
            return .follow { tell in try await self.continuePlay(set, .seconds(played), tell) }
        }
        let choice: PlayTakeover
        switch takeover {
        case nil: choice = .none
        case "ask": choice = .asked
        case "force": choice = .forced
        default:
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“takeover” is ask or force",
                nextStep: "leave it out"
            )
        }
        let set = try set(call)
        return .follow { tell in try await self.play(set, wait, choice, insists, tell) }
    }

    private static func wait(_ fields: JSONFields, or usual: Double) throws -> Duration {
        let wait = try RouteCall.asked { try fields.number("wait") ?? usual }
        guard (0...3600).contains(wait) else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“wait” is 0 to 3600 seconds",
                nextStep: "10 is usual"
            )
        }
        return .seconds(wait)
    }

    private func play(
        _ set: SaveSetID,
        _ wait: Duration,
        _ takeover: PlayTakeover,
        _ insists: Insistence,
        _ tell: @escaping RouteAnswer.Tell
    ) async throws {
        let anyway = insists.onAll
        let report = try engine.report(of: set)
        let name = report.entry.name
        try await checkFolder(report, anyway)
        let checked = try engine.report(of: set)
        if checked.emptied != nil, !anyway, let fault = await wording.fault(of: checked) { throw fault }
        // In a pause, versions of other machines do not arrive, and the user knows that.
        let isPaused = report.facts.pause != nil
        let end = ContinuousClock.now + (isPaused ? .zero : wait)
        try await gather(report.entry, until: end, tell)
        let first = try await fetch(set, name, max(end - .now, .zero), tell)
        if !anyway, !isPaused { try check(first, of: set) }
        switch first {
        case .ready: break
        case .conflict, .late:
            let sentence = "\(name) is played with the save of this machine; another version may be newer"
            try await tell(DaemonLine(.gameEvent(GameEvent(.notNewest, GameTag(set, name))), sentence))
        }
        if let peer = try engine.report(of: set).play.cutOff {
            let tag = await wording.tag(peer)
            let error = HouseholdError.cutOff(tag, await wording.offline(peer), name)
            guard anyway || insists.onCutOff else { throw error }
            // A user who has overridden exactly this has read it.
            if !insists.onCutOff {
                let event = GamePeerEvent(.cutOff, tag, GameTag(set, name))
                try await tell(DaemonLine(.gamePeer(event), error.message))
            }
        } else if let alone = await PlayWording(household).alone(try engine.report(of: set)) {
            try await tell(alone)
        }
        // If a version did not arrive in that time, a second wait is useless.
        let newest = NewestWait(within: first == .ready ? wait : .zero) { readiness in
            if !anyway, !isPaused { try self.check(readiness, of: set) }
        }
        if takeover == .asked, let asked = await PlayWording(household).asked(try engine.report(of: set)) {
            try await tell(asked)
        }
        let game = try await engine.play(of: set).begin(takeover, with: newest)
        try await stay(with: set, game) { try await tell(self.playing(set, name, game, nil)) }
    }

    /// Waits for machines, which connect again only some seconds after a start or a sleep.
    private func gather(
        _ set: SaveSetEntry,
        until end: ContinuousClock.Instant,
        _ tell: @escaping RouteAnswer.Tell
    ) async throws {
        let expected = try await engine.connections.gather(set.id, within: min(end - .now, Self.moment))
        let rest = end - .now
        guard !expected.isEmpty, rest > .zero else { return }
        try await tell(await PlayWording(household).expected(expected, for: rest, set))
        _ = try await engine.connections.gather(set.id, within: rest)
    }

    private static let moment = Duration.seconds(1)

    /// Waits for the newest version. After a second the client learns the reason of the wait.
    private func fetch(
        _ set: SaveSetID,
        _ name: SaveSetName,
        _ wait: Duration,
        _ tell: @escaping RouteAnswer.Tell
    ) async throws -> PlayReadiness {
        let moment = min(wait, Self.moment)
        let first = try await engine.play(of: set).newest(within: moment)
        guard first == .late, wait > moment else { return first }
        let sentence = "waiting for the newest version of \(name), at most \(PlayWording.seconds(wait)) s"
        try await tell(DaemonLine(.gameEvent(GameEvent(.fetching, GameTag(set, name))), sentence))
        return try await engine.play(of: set).newest(within: wait - moment)
    }

    private func check(_ readiness: PlayReadiness, of set: SaveSetID) throws {
        let report = try engine.report(of: set)
        switch readiness {
        case .ready: break
        case .conflict: throw HouseholdError.conflictFirst(report.entry.name)
        case .late: throw HouseholdError.newestIsLate(report)
        }
    }

    /// Throws if the folder is missing or replaced: a game without saves starts from the beginning, and its new save
    /// would belong to no version.
    private func checkFolder(_ report: GameReport, _ anyway: Bool) async throws {
        // The reported trouble may be over. If a memory card is out, the bare mount point is there and can be read.
        if report.trouble?.kind == .replaced || report.trouble?.kind == .missing {
            try? await engine.editor(of: report.entry.id).scan()
        }
        let trouble = try engine.report(of: report.entry.id).trouble
        switch trouble?.kind {
        case .replaced: throw HouseholdError.folderReplaced(report.entry)
        case .misplaced:
            if let error = trouble?.error, !anyway { throw error }
        case .missing: throw HouseholdError.folderAway(report.entry)
        case .other where trouble?.error.code == SaveSyncError.silentDiskCode:
            // Reading the folder would wait for the silent disk as well.
            if let error = trouble?.error, !anyway { throw error }
            return
        case .full, .readOnly, .notPermitted, .other, nil: break
        }
        let path = report.entry.path
        let isAway = try await runBlocking("saves") {
            do throws(SystemError) {
                return try FileFacts(at: path).kind != .folder
            } catch {
                return DiskTrouble(error) == .notFound
            }
        }
        if isAway { throw HouseholdError.folderAway(report.entry) }
    }

    private static let longestGame = 366 * 86_400.0

    /// Continues a game whose client lost its connection to an earlier daemon.
    private func continuePlay(_ set: SaveSetID, _ played: Duration, _ tell: @escaping RouteAnswer.Tell) async throws {
        let name = try engine.report(of: set).entry.name
        let (game, holder) = try engine.play(of: set).resume(for: played)
        try await stay(with: set, game) {
            var sentence = "huddled is back, and knows that \(name) is played here"
            if let holder {
                let peer = await self.wording.tag(holder.peer)
                sentence = "huddled is back; \(peer) plays \(name) as well, and what both save will be a conflict"
            }
            try await tell(self.playing(set, name, game, sentence))
        }
    }

    private func playing(_ set: SaveSetID, _ name: SaveSetName, _ game: Int, _ sentence: String?) -> DaemonLine {
        DaemonLine(.playing(PlayingEvent(GameTag(set, name), game)), sentence)
    }

    /// Reports that the game counts as running, and waits until the client disconnects.
    private func stay(
        with set: SaveSetID,
        _ game: Int,
        telling tell: @Engine () async throws -> Void
    ) async throws {
        let engine = engine
        do {
            try await tell()
            let gone = Resumption<Void>()
            try await gone.valueUnlessCancelled()
        } catch {
            // The client disconnected without a request to end the game. Its saves are scanned all the same, though
            // this task is cancelled.
            if (try? engine.play(of: set))?.games.contains(game) == true {
                await Task(executorPreference: EventLoop.shared.taskExecutor) {
                    _ = try? await engine.play(of: set).end(game: game)
                }.value
            }
            throw error
        }
    }
}

extension HouseholdError {
    static func conflictFirst(_ name: SaveSetName) -> HouseholdError {
        HouseholdError(
            ErrorCode(.conflict, "saves.conflict"),
            "\(name) was changed on two machines, and no side is chosen yet",
            nextStep: """
                choose a save with `huddle fix \(name)`, or play the save of this machine with --anyway
                """
        )
    }

    static func cutOff(_ peer: PeerTag, _ since: String, _ name: SaveSetName) -> HouseholdError {
        HouseholdError(
            "saves.cut-off",
            "\(peer) was playing \(name) when the connection broke, and is \(since); its save may be newer",
            nextStep: "start \(peer) first, or play the save of this machine with --anyway"
        )
    }

    fileprivate static func folderAway(_ set: SaveSetEntry) -> HouseholdError {
        HouseholdError(
            ErrorCode(.folderMissing, "saves.folder-missing"),
            """
            the folder of \(set.name) is missing (“\(PrintableText(set.path, limit: 4096))”); is the memory card or \
            disk mounted?
            """,
            nextStep:
                "start the game once it is there; if it has moved: `huddle set \(set.name) --at FOLDER`"
        )
    }

    fileprivate static func folderReplaced(_ set: SaveSetEntry) -> HouseholdError {
        HouseholdError(
            ErrorCode(.folderMissing, "saves.folder-missing"),
            """
            “\(PrintableText(set.path, limit: 4096))” is another folder than before, without any file of \(set.name); \
            is the memory card or disk mounted?
            """,
            nextStep: """
                start the game once it is mounted; if this is the game's new folder: \
                `huddle set \(set.name) --at` and its path
                """
        )
    }

    static func newestIsLate(_ report: GameReport) -> HouseholdError {
        let name = report.entry.name
        let (message, nextStep) =
            if let reason = report.quarantine {
                (
                    "the newest version of \(name) is kept out of its folder: \(reason)",
                    "choose another one from `huddle history \(name)` with `huddle restore`"
                )
            } else if let writer = report.play.writer {
                (
                    "the newest version of \(name) is kept out of its folder while \(writer) has a file open there",
                    "end that program"
                )
            } else if report.versions.couldNotStoreNewer {
                (
                    "the newest version of \(name) has arrived but could not be stored here",
                    "check the disk with `huddle doctor`"
                )
            } else if let trouble = report.trouble, !report.versions.isNewerAway {
                // The trouble is on this machine, and the one with the newest version can't help.
                (
                    "the newest version of \(name) can't be put into its folder: \(trouble.error.message)",
                    trouble.error.nextStep
                )
            } else {
                (
                    "the newest version of \(name) has not come in time",
                    "switch on the machine that has it, or wait longer with --wait"
                )
            }
        return HouseholdError(
            "saves.newest-late",
            message,
            nextStep: "\(nextStep), or play the save of this machine with --anyway"
        )
    }
}
