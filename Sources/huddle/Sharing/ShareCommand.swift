import CommandTable
import Control
import FoundationEssentials
import Games
import Household
import LinuxPlatform
import Vocabulary

/// `huddle share` and `huddle unshare`: choose the machines that get a game's saves.
enum ShareCommand {
    private static let what = Argument(
        repeating: "GAME|PATH",
        .file,
        atLeast: 0,
        help: "a game of `huddle games`, one that is shared here, a folder, or files in one"
    )
    private static let name = Option("name", .text.named("NAME"), help: "the game's name here (default: the folder's)")
    private static let with = Option(
        repeating: "with",
        .text.named("PEER"),
        help: "a machine that gets the game (default: all paired machines)"
    )
    private static let all = Flag("all", help: "share every game of `huddle games` that has saves")
    private static let each = Flag(
        "each",
        help: "share each save of an emulator as a game of its own, so that playing one holds back no other"
    )
    private static let onlyHere = Flag("only-here", help: "keep versions, and offer the game to no machine yet")
    private static let syncthing = Option(
        repeating: "syncthing",
        .text.named("DEVICE"),
        help: "a device of `huddle syncthing devices` that gets the game, too"
    )
    private static let without = Option(
        repeating: "with",
        .text.named("PEER"),
        help: "a machine that no longer gets the game"
    )

    static let row = Command<CommandAction>(
        "share",
        summary: "keep a game's saves in sync with your other machines",
        discussion: """
            Each time the game has saved and closed its files, the daemon keeps that version and sends it to the other \
            machines. They join by themselves if they have the game, or with `huddle join`. If you name files or \
            several folders, they are the save together, and Huddle never touches the rest of their folder.
            """,
        arguments: [what],
        options: [name, with, syncthing, all, each, onlyHere] + SaveOptions.first + AskingOptions.all,
        examples: [
            Example("huddle share celeste", "a game that `huddle games` lists, with all paired machines"),
            Example("huddle share ~/saves/celeste --name celeste", "a folder that no list knows"),
            Example("huddle share celeste --with Deck", "with one machine"),
            Example("huddle share celeste --syncthing pc", "with a device that runs Syncthing, too"),
            Example("huddle share --all", "all games that were found here"),
            Example("huddle share retroarch --each", "each save of an emulator as a game"),
            Example("huddle share ~/.game/slot1.sav ~/.game/slot2.sav --name game", "these files alone"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        guard given[all] != !given[what].isEmpty else {
            throw CommandError(
                ErrorCode(.invalid, "command.nothing-to-share"),
                given[all] ? "--all shares every game, but one is named as well" : "no game is named",
                nextStep: "`huddle games` lists what can be shared: huddle share GAME, or huddle share --all"
            )
        }
        guard !given[onlyHere] || given[with].isEmpty else {
            throw CommandError(
                ErrorCode(.invalid, "command.only-here"),
                "--only-here shares the game with no machine, but --with names some",
                nextStep: "leave out one of the two"
            )
        }
        guard !given[each] || (given[what].count == 1 && given[name] == nil) else {
            throw CommandError(
                ErrorCode(.invalid, "command.each"),
                "--each shares the saves of one emulator under their own names",
                nextStep: "name one emulator of `huddle games`: huddle share EMULATOR --each"
            )
        }
        guard given[syncthing].isEmpty || !given[all] && !given[each] else {
            throw CommandError(
                ErrorCode(.invalid, "command.syncthing-all"),
                "--syncthing shares one game with a device",
                nextStep: "name one game: huddle share GAME --syncthing DEVICE"
            )
        }
        let audience: Sharing.Audience =
            given[onlyHere] ? .onlyHere : given[with].isEmpty ? .household : .machines(given[with])
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let sharing = Sharing(at: daemon, given, report, audience)
            if given[all] { return try await sharing.all() }
            if given[each] { return try await sharing.each(given[what][0]) }
            return try await sharing.run(given[what], given[name], devices: given[syncthing])
        }
        return code ?? .interrupted
    }

    static let undoing = Command<CommandAction>(
        "unshare",
        summary: "stop sharing a game with some machines",
        discussion: "They keep the saves that they have.",
        arguments: [GameAsking.game],
        options: [without] + AskingOptions.all,
        examples: [Example("huddle unshare celeste --with Deck", "Deck gets no new saves")],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let (game, machines) = (given[GameAsking.game], given[without])
        guard !machines.isEmpty else {
            throw CommandError(
                ErrorCode(.invalid, "command.no-machine"),
                "no machine is named that \(PrintableText(game, limit: 80)) is no longer shared with",
                nextStep: "add --with and a machine, or run `huddle stop \(ShellWord(game))` to stop syncing it here"
            )
        }
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            for machine in machines {
                let answers = try await daemon.all(Endpoint.unshareGame.request(game, machine))
                for line in answers { try await report.tell(line) }
                if answers.allSatisfy({ $0.sentence == nil }), report.isForUser {
                    let names = (PrintableText(game, limit: 80), PrintableText(machine, limit: 80))
                    try await console.say(
                        "Stopped sharing \(names.0) with \(names.1). It keeps the versions that it has."
                    )
                }
            }
            return .success
        }
        return code ?? .interrupted
    }
}

/// Shares one game: finds out where it saves, makes it a game of this machine, and offers it to other machines.
@Engine
struct Sharing {
    private let daemon: ControlConnection
    private let given: GivenValues
    private let report: SessionReport
    private let audience: Audience

    /// The machines with which a game is shared.
    enum Audience: Sendable {
        case onlyHere
        /// All machines of the household, also those that pair later.
        case household
        case machines([String])
    }

    init(at daemon: ControlConnection, _ given: GivenValues, _ report: SessionReport, _ audience: Audience) {
        (self.daemon, self.given, self.report, self.audience) = (daemon, given, report, audience)
    }

    /// - Parameter devices: devices with Syncthing that get the game, too
    func run(_ typed: [String], _ name: String?, devices: [String]) async throws -> ExitCode {
        // The machines are checked first, so that a mistyped name leaves no game half shared.
        let receivers = try await receivers()
        for device in devices { _ = try await daemon.all(Endpoint.syncthingDevice.request(device)) }
        let game = try await game(typed, name)
        try await offer(game, to: receivers)
        for device in devices {
            for line in try await daemon.all(Endpoint.shareWithSyncthingDevice.request(device, game)) {
                try await report.tell(line)
            }
            let names = (PrintableText(game, limit: 80), PrintableText(device, limit: 80))
            if report.isForUser {
                try await report.say("Shared \(names.0) with \(names.1). Accept the folder in Syncthing there.")
            }
        }
        if devices.isEmpty { await tellIfAlone(receivers) }
        return .success
    }

    /// Shares each found game that has saves. Reports a game that can't be shared, and continues with the others.
    func all() async throws -> ExitCode {
        var code = ExitCode.success
        let receivers = try await receivers()
        let games = try await GamesCommand.found(given).games
        for game in games where game.tally.files > 0 {
            guard let place = game.sharedPlace else {
                let reason = game.shareObstacle.map { ": \($0)" } ?? ""
                await report.complain("\(game.id) is not shared\(reason); `huddle games \(game.id)` shows more")
                continue
            }
            do {
                let name = try await isShared(game.id) ? shared(game.id) : add(place, game.id)
                try await offer(name, to: receivers)
            } catch let error as any ExplainedError {
                let fault = PassedOnError(error)
                await report.report(fault.lines(about: "\(game.id): \(fault.message)"))
                code = ExitCode(of: error)
            }
        }
        await tellIfAlone(receivers)
        return code
    }

    /// Shares each save of an emulator as a game. Reports a save that can't be shared, and continues with the others.
    func each(_ emulator: String) async throws -> ExitCode {
        let receivers = try await receivers()
        let game = try GameChoice.game(emulator, among: try await GamesCommand.found(given).games)
        let saves = try await runBlocking("games") { game.emulatorSaves() }
        guard !saves.isEmpty else {
            throw CommandError(
                ErrorCode(.notFound, "games.not-apart"),
                "\(game.id) has no saves of single games that Huddle can tell apart",
                nextStep: "share it as one game: huddle share \(game.id)"
            )
        }
        var code = ExitCode.success
        for save in saves {
            do {
                let name = try await isShared(save.name) ? shared(save.name) : add(ChosenPaths(save), save.name)
                try await offer(name, to: receivers)
            } catch let error as any ExplainedError {
                let fault = PassedOnError(error)
                await report.report(fault.lines(about: "\(save.name): \(fault.message)"))
                code = ExitCode(of: error)
            }
        }
        await tellIfAlone(receivers)
        return code
    }

    private func offer(_ game: String, to receivers: [String]) async throws {
        for receiver in receivers {
            for line in try await daemon.all(Endpoint.shareGame.request(game, receiver)) {
                try await report.tell(line)
            }
        }
    }

    private func tellIfAlone(_ receivers: [String]) async {
        guard case .household = audience, receivers.isEmpty, report.isForUser else { return }
        await report.complain(
            """
            no machine is paired yet; the game is sent as soon as one is
            run `huddle pair` here and on another machine
            """
        )
    }

    /// Returns the machines that get the game now.
    private func receivers() async throws -> [String] {
        switch audience {
        case .onlyHere: return []
        case .household: return try await paired()
        case .machines(let named):
            let policies = try await policies()
            for name in named {
                let meant = policies.filter { Pairing.isMeant($0.machine, name) }
                guard !meant.isEmpty else { throw HouseholdError.unknownPeer(name) }
                if meant.count == 1, let error = Self.refusal(meant[0]) { throw error }
            }
            return named
        }
    }

    /// Sets the audience of a game that this machine shares already.
    private func shared(_ game: String) async throws -> String {
        var body = GameBody()
        if case .household = audience {
            body.fields.set("audience", "household")
        } else {
            body.fields.set("audience", "chosen")
        }
        _ = try await daemon.all(Endpoint.changeGame.request(game, saying: body))
        return game
    }

    /// Adds the game on this machine unless it shares the game already. Returns its name.
    private func game(_ typed: [String], _ name: String?) async throws -> String {
        if typed.count == 1, name == nil, Self.isName(typed[0]) {
            if try await isShared(typed[0]) { return try await shared(typed[0]) }
            if let found = try await found(typed[0]) {
                return try await add(try place(of: found), found.id)
            }
            guard FileManager.default.fileExists(atPath: typed[0]) else {
                let word = PrintableText(typed[0], limit: 80)
                let near = try await near(typed[0]).map { "did you mean \($0)? " } ?? ""
                throw CommandError(
                    ErrorCode(.notFound, "games.not-found"),
                    "no game “\(word)” was found here, and no folder has that name",
                    nextStep: near
                        + "`huddle games` lists the games that were found; for others: "
                        + "huddle share FOLDER --name \(ShellWord(typed[0]))"
                )
            }
        }
        return try await add(try ChosenPaths(typed), name)
    }

    private func add(_ place: SharedPlace, _ name: String) async throws -> String {
        try await add(ChosenPaths(place), name, ignoring: place.ignoring)
    }

    private func add(
        _ chosen: ChosenPaths,
        _ name: String?,
        ignoring: [String] = []
    ) async throws -> String {
        var body = try GameBody(given, isNew: true, ignoring: ignoring)
        body.fields.set("path", chosen.folder)
        if let names = chosen.names { body.fields.set("files", names) }
        body.fields.set("name", name)
        switch audience {
        case .onlyHere: body.fields.set("alone", true)
        case .household: body.fields.set("audience", "household")
        case .machines: break
        }
        var made = name
        for line in try await daemon.all(Endpoint.addGame.request(saying: body)) {
            if let game = line.game { made = game.name }
            try await report.tell(line)
        }
        guard let made else { throw HouseholdError.badAnswer }
        return made
    }

    private static func isName(_ typed: String) -> Bool {
        !typed.contains("/") && !typed.hasPrefix("~") && !typed.hasPrefix(".")
    }

    private func isShared(_ name: String) async throws -> Bool {
        try await daemon.all(Endpoint.games.request()).contains { $0.game?.name == name }
    }

    private func found(_ typed: String) async throws -> FoundGame? {
        let small = typed.lowercased()
        return try await GamesCommand.found(given).games.first { $0.id == small }
    }

    /// Returns the found game whose name is closest to a mistyped one.
    private func near(_ typed: String) async throws -> String? {
        let names = try await GamesCommand.found(given).games.map(\.id)
        return NearestName.of(typed.lowercased(), in: names)
    }

    private func place(of game: FoundGame) throws -> SharedPlace {
        if let place = game.sharedPlace { return place }
        let reason = game.shareObstacle.map { ": \($0)" } ?? ""
        throw CommandError(
            "games.no-one-place",
            "\(game.id) has no folder to share by its name\(reason)",
            nextStep:
                "`huddle games \(game.id)` shows its folders; share one of them: huddle share FOLDER --name \(game.id)"
        )
    }

    /// Returns the paired machines that get all games: those with the policy accept and the right to saves.
    private func paired() async throws -> [String] {
        let syncing = Set(try await policies().filter { Self.refusal($0) == nil }.map(\.machine.id))
        return try await daemon.all(Endpoint.peers.request()).compactMap(\.machine)
            .filter { $0.isPaired && syncing.contains($0.machine.id) }.map { $0.machine.id.description }
    }

    private func policies() async throws -> [PolicyEvent] {
        try await daemon.all(Endpoint.policies.request()).compactMap { line in
            if case .policy(let policy) = line.event { policy } else { nil }
        }
    }

    private static func refusal(_ policy: PolicyEvent) -> HouseholdError? {
        let allowed = Permissions.named.filter { policy.allows?.contains($0.word) ?? false }.map(\.permission)
        return .notOfHousehold(policy.machine, Policy(rawValue: policy.policy), Permissions(allowed))
    }
}

extension HouseholdError {
    fileprivate static let badAnswer = HouseholdError(
        "control.bad-answer",
        "the daemon's answer does not name the new game",
        nextStep: "run `huddle list`"
    )
}
