import Bridges
import CommandTable
import Control
import ControlServer
import Desktop
import Games
import Notifier
import Household
import Ledger
import LinuxPlatform
import Page
import SaveService
import SaveSync
import Session
import Vocabulary

/// One run of the daemon from its settings to its end. Its parts start in order, and stop in the reverse order.
struct Daemon {
    /// The reason why the run ends.
    enum Ending {
        case stop
        case reload
    }

    /// The largest request body in bytes. It has room for a message of 1 MiB in any encoding.
    private static let bodyLimit = 8 << 20

    private let given: GivenValues
    private let supervisor: Supervisor
    private let log: DaemonLog
    /// The time when the program started, which stays the same after a reload.
    private let began: WallTime

    init(_ given: GivenValues, _ supervisor: Supervisor, _ log: DaemonLog, since began: WallTime) {
        self.began = began
        self.given = given
        self.supervisor = supervisor
        self.log = log
    }

    func run(_ signals: Signals) async throws -> Ending {
        let environment = ProgramLaunch.ownEnvironment
        let settings = try DaemonSettings(given, environment)
        try FolderPath.make(settings.state, mode: .privateFolder)
        // If systemd holds the socket, its path counts, whatever path the settings name.
        let socket = supervisor.listeningPath ?? settings.socket
        let presence = try HouseholdPresence(
            in: settings.state,
            as: HouseholdPresence.Holder(since: began, socket: socket)
        )
        defer { withExtendedLifetime(presence) {} }
        let ledger = try await Ledger.open(at: settings.state)
        let configuration = try await settings.node(ledger)
        let node = try await Node.open(configuration)
        if let damage = ledger.damage {
            log.write(.warning, "\(damage)", event: "ledger-damaged", code: damage.code.description)
        }
        let inbox = try await inbox(of: settings, besides: socket)
        let household = await Household(node, into: inbox)
        let facts = ProgramFacts(
            version: Release.version,
            presence: presence.holder,
            settings: settings.effective(kept: try await node.ledger.displayName())
        )
        let saves = try await saves(of: household, settings, socket)
        let notifier = await Notifier(
            household,
            hook: settings.hookProgram(from: environment),
            screen: settings.screen(from: environment)
        )
        let page = await Page(in: settings.state)
        let retroArch = await RetroArchBridge(saves.bridge, in: settings.state) { [weak household] event in
            if let line = DeviceLine.line(event) { household?.tell(line) }
        }
        let syncthing = await syncthing(of: household, saves, settings, as: configuration.name)
        let routes = await saves.routes + page.routes + retroArch.routes + syncthing.routes
        let control = await Control(household, as: facts, adding: routes)
        await page.answer(by: control)
        await retroArch.start()
        await syncthing.start()
        let server = try server(at: socket, control)
        let running = NodeRun(node)
        let ending: Ending
        do {
            ending = try await serve(household, saves, notifier, server, signals)
        } catch {
            await page.stop()
            await syncthing.end()
            await retroArch.end()
            await running.end()
            throw error
        }
        await page.stop()
        await syncthing.end()
        await retroArch.end()
        // The end of the node has its own time limits, so no second signal is needed.
        await running.end()
        return ending
    }

    @Engine
    private func syncthing(
        of household: Household,
        _ saves: SaveService,
        _ settings: DaemonSettings,
        as name: InstanceName
    ) -> SyncthingDevices {
        SyncthingDevices(saves.bridge, in: settings.state, as: name.description) { [weak household] event in
            if let line = SyncthingLine.line(event) { household?.tell(line) }
        }
    }

    /// Opens the inbox. If the inbox refuses files, the daemon still takes saves and messages.
    private func inbox(of settings: DaemonSettings, besides socket: String) async throws -> InboxFolder {
        let (path, reserved) = (settings.inbox, settings.reserved(besides: socket))
        let inbox = try await runBlocking("inbox") { try InboxFolder(path, besides: reserved) }
        if let refusal = inbox.refusal {
            log.write(.warning, "no files are taken: \(refusal)", event: "inbox-closed", code: refusal.code.description)
        }
        return inbox
    }

    private func saves(
        of household: Household,
        _ settings: DaemonSettings,
        _ socket: String
    ) async throws -> SaveService {
        let folder = settings.state
        let places = try FolderPlaces(notes: "\(folder)/places")
        var keeping = SaveConfiguration(history: "\(folder)/history")
        keeping.reserved = settings.reservedForSets(besides: socket)
        let engine = try await SaveSyncEngine.open(keeping, beside: household.node, places: places)
        for damage in await engine.historyDamage {
            log.write(.warning, "\(damage)", event: "history-damaged", code: damage.code.description)
        }
        let service = await SaveService(engine, in: household, historyIn: keeping.history)
        let games = GamesOfMachine(lists: GameLists(in: "\(folder)/games"))
        if settings.configuration.games.joins { await service.joinsGames(of: games) }
        if settings.configuration.games.shares { await service.sharesFound(games) }
        return service
    }

    private func server(at path: String, _ control: Control) throws -> ControlServer {
        var limits = ControlLimits()
        limits.bodyBytes = Self.bodyLimit
        let handler: ControlServer.Handler = { ControlResponse(await control.answer(APIRequest($0))) }
        let uploads: ControlServer.TakesUploads = { control.takesUpload($0, $1) }
        if let socket = supervisor.listeningSocket() {
            return try ControlServer(listeningOn: socket, at: path, limits: limits, uploads: uploads, handler)
        }
        try FolderPath.make(String(path.dropLast("/control".count)), mode: .privateFolder)
        return try ControlServer(at: path, limits: limits, uploads: uploads, handler)
    }

    // MARK: Serving

    private func serve(
        _ household: Household,
        _ saves: SaveService,
        _ notifier: Notifier,
        _ server: ControlServer,
        _ signals: Signals
    ) async throws -> Ending {
        let reader = await household.events.follow()
        return try await withThrowingTaskGroup(of: Ending?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                _ = try await household.run()
                return nil
            }
            group.addTask {
                await saves.run()
                return nil
            }
            group.addTask {
                await notifier.run()
                return nil
            }
            group.addTask {
                await saveBeforeSleep(saves)
                return nil
            }
            group.addTask {
                try await server.run()
                return nil
            }
            group.addTask {
                await write(reader)
                return nil
            }
            if let watchdog = supervisor.watchdog {
                group.addTask {
                    try await stayAlive(watchdog)
                    return nil
                }
            }
            if given[DaemonOptions.attached] {
                group.addTask {
                    try await inputEnds()
                    return .stop
                }
            }
            group.addTask { await ending(by: signals, to: household.node) }
            let ready = await household.ready
            let line = LogLine(ready) ?? LogLine("ready")
            log.writeLines(of: ready)
            supervisor.tell([.ready, .status(line.description)])
            while let ending = try await group.next() {
                guard let ending else { continue }
                supervisor.tell([ending == .stop ? .stopping : .reloading])
                return ending
            }
            return .stop
        }
    }

    /// Sends the newest saves before the machine sleeps. Without a login manager, the machine sleeps without delay. The
    /// daemon then sends the saves after the sleep.
    private func saveBeforeSleep(_ saves: SaveService) async {
        let delay = SleepDelay(ProgramLaunch.ownEnvironment, why: "sends saves to other machines")
        try? await delay.run { await saves.sendAll(within: SleepDelay.limit - .milliseconds(500)) }
    }

    private func write(_ reader: EventReader) async {
        while let latest = await reader.next() {
            for line in latest { log.write(line) }
        }
    }

    private func inputEnds() async throws {
        while true {
            try await Terminal.inputIsReady(on: .shared)
            if try Terminal.read(upTo: 4096).isEmpty { return }
        }
    }

    /// Reports to systemd that the event loop still runs, on which all of the daemon's work depends.
    private func stayAlive(_ watchdog: Duration) async throws {
        while true {
            try await EventLoop.shared.sleep(for: watchdog / 2)
            supervisor.tell([.alive])
        }
    }

    private func ending(by signals: Signals, to node: Node) async -> Ending {
        while await signals.next() == .hangUp {
            do {
                try await DaemonSettings(given, ProgramLaunch.ownEnvironment).rehearse(beside: node)
                return .reload
            } catch {
                // If the user mistypes a setting, or the inbox is on a missing disk, the daemon must not end.
                log.write(.error, "\(error)")
                log.write(.notice, "continuing with the settings that were read before")
            }
        }
        return .stop
    }
}

extension APIRequest {
    fileprivate init(_ request: ControlRequest) {
        self.init(request.method, request.path, query: request.query, body: request.body)
        upload = request.upload
    }
}

extension ControlResponse {
    fileprivate init(_ response: APIResponse) {
        switch response.body {
        case .bytes(let bytes): self.init(status: response.status, type: response.type, .bytes(bytes))
        case .stream(let source): self.init(status: response.status, type: response.type, .stream(source))
        }
        allowed = response.allowed
    }
}
