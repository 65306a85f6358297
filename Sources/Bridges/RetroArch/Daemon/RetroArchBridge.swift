import ControlServer
import Ledger
package import LinuxPlatform
import SaveRules
package import SaveSync
import SecureArchive
import Transport
import Vocabulary

/// Answers RetroArch's cloud sync, so that devices on which RetroArch runs and Huddle does not take part in a
/// household.
///
/// It listens only while the user wants it. Each device has a name and a password, and what it saves in one sync is one
/// version by its name.
@Engine
package final class RetroArchBridge {
    private let games: any BridgedGames
    private let store: RetroArchStore
    private let state: String
    private let limits: DeviceUploads.Limits
    private let settle: Duration
    private let tell: @Engine @Sendable (RetroArchBridgeEvent) -> Void
    private let hashes: FileHashes
    private(set) var settings = RetroArchSettings()
    private nonisolated let access: DeviceAccess
    private var serving: Serving?
    /// The reason why it does not listen although the user has turned it on.
    private(set) var failure: (any Error)?
    private var sessions: [DeviceName: Task<DeviceSession, any Error>] = [:]
    private var sessionCount = 0
    private let writes = OrderedWrites()

    /// The listener, with the task that serves its requests.
    private struct Serving {
        let port: UInt16
        let task: Task<Void, Never>
    }

    /// - Parameters:
    ///   - state: the daemon's own folder
    ///   - settle: the time after the last request of a device that has not written its manifest
    ///   - tell: receives what happens
    package convenience init(
        _ games: any BridgedGames,
        in state: String,
        settlingAfter settle: Duration = .seconds(30),
        telling tell: @escaping @Engine @Sendable (RetroArchBridgeEvent) -> Void
    ) {
        self.init(games, in: state, settlingAfter: settle, limits: DeviceUploads.Limits(), telling: tell)
    }

    init(
        _ games: any BridgedGames,
        in state: String,
        settlingAfter settle: Duration,
        limits: DeviceUploads.Limits,
        telling tell: @escaping @Engine @Sendable (RetroArchBridgeEvent) -> Void
    ) {
        (self.games, self.state, self.settle, self.limits, self.tell) = (games, state, settle, limits, tell)
        (store, hashes) = (RetroArchStore(in: state), FileHashes(games))
        access = DeviceAccess { count in
            Engine.loop.perform { @Sendable in Engine.assumeIsolated { tell(.wrongPassword(count: count)) } }
        }
    }

    // MARK: Life

    /// Serves devices until ``end()``, if the user has turned it on.
    package func start() async {
        do {
            settings = try await store.load() ?? RetroArchSettings()
            if settings.isOn { try await listen() }
        } catch {
            failure = error
            tell(.notRunning(error))
        }
    }

    /// Stops to listen. What devices have sent is stored first.
    package func end() async { await stop() }

    /// Starts to listen, from now on also after a restart.
    /// - Throws: if another program has the port; then it stays as it was
    package func turnOn(_ change: @Engine (inout RetroArchSettings) throws -> Void) async throws {
        let before = settings
        var wanted = settings
        wanted.isOn = true
        try change(&wanted)
        await stop()
        settings = wanted
        do {
            try await listen()
            try await persist()
        } catch {
            await stop()
            settings = before
            if before.isOn { try? await listen() }
            throw error
        }
    }

    /// Stops to listen.
    package func turnOff() async throws {
        await stop()
        settings.isOn = false
        try await persist()
    }

    /// The port; nil while it does not listen.
    package var port: UInt16? { serving?.port }

    /// The wrong logins since the start.
    package var wrongPasswordCount: Int { access.wrongCount }

    private func listen() async throws {
        await store.removeUploads()
        let reach: LibraryListener.Reach
        if settings.usesTLS {
            let identity = try await runBlocking("retroarch") { [state] in try BrowserIdentity.loadOrCreate(in: state) }
            reach = .network(identity: identity.text)
        } else {
            reach = .plainNetwork
        }
        let socket = try LibraryListener(reach, port: settings.port)
        var limits = ControlLimits()
        (limits.connections, limits.bodyBytes) = (32, 64 << 10)
        access.allow(settings)
        let server = ControlServer(
            listeningOn: socket,
            limits: limits,
            uploads: { method, _ in method == "PUT" },
            checking: { [access] in access.refusal(of: $0) }
        ) { [weak self] request in
            guard let self else { return .refusal(503, "Huddle ends") }
            return await self.answer(request)
        }
        if !(failure is ArchiveError) { failure = nil }
        serving = Serving(port: socket.address.port, task: Task { try? await server.run() })
    }

    private func stop() async {
        serving?.task.cancel()
        await serving?.task.value
        serving = nil
        for session in sessions.values { if let open = try? await session.value { await finish(open) } }
        hashes.forget()
    }

    // MARK: Devices

    /// Adds a device.
    /// - Returns: its password, which is stored nowhere
    package func add(_ name: DeviceName) async throws -> String {
        guard settings.devices[name] == nil else { throw RetroArchError.known(name) }
        guard settings.devices.count < RetroArchSettings.mostDevices else { throw RetroArchError.tooMany }
        let password = DevicePassword.random()
        settings.devices[name] = RetroArchSettings.Device(name, secret: DeviceLogin.secret(of: name.text, password))
        do { try await persist() } catch {
            settings.devices[name] = nil
            throw error
        }
        access.allow(settings)
        return password
    }

    /// Forgets a device. What it has saved stays.
    package func remove(_ name: DeviceName) async throws {
        guard settings.devices.removeValue(forKey: name) != nil else { throw RetroArchError.unknown(name.text) }
        access.allow(settings)
        await end(name)
        try await persist()
    }

    /// Gives a device no answer from now on, or answers it again.
    package func block(_ name: DeviceName, _ isBlocked: Bool) async throws {
        guard settings.devices[name] != nil else { throw RetroArchError.unknown(name.text) }
        settings.devices[name]?.isBlocked = isBlocked
        access.allow(settings)
        await end(name)
        try await persist()
    }

    /// The files that a device will see when it syncs next.
    package func preview(_ name: DeviceName) async throws -> DeviceManifest {
        guard settings.devices[name] != nil else { throw RetroArchError.unknown(name.text) }
        let session = newSession(name)
        try await session.begin(settings)
        return session.manifest
    }

    /// A shared game by its name.
    func game(named typed: String) throws -> SaveSetID {
        guard let game = games.games().first(where: { $0.name.description == typed }) else {
            throw RetroArchError.unknownGame(typed)
        }
        return game.id
    }

    func name(of game: SaveSetID) -> SaveSetName? { games.games().first { $0.id == game }?.name }

    /// The games whose names or folders say that they are RetroArch's.
    var usualGames: [DevicePath.Folder: SaveSetID] {
        var found: [DevicePath.Folder: SaveSetID] = [:]
        for folder in DevicePath.Folder.allCases {
            let named = games.games().first { $0.name.description == "retroarch-\(folder.rawValue)" }
            let placed = games.games().first {
                $0.path.hasSuffix("/retroarch/\(folder.rawValue)") || $0.path.hasSuffix("/\(folder.rawValue)/retroarch")
            }
            found[folder] = (named ?? placed)?.id
        }
        return found
    }

    private func end(_ name: DeviceName) async {
        if let session = try? await sessions[name]?.value { await finish(session) }
    }

    // MARK: Requests

    private func answer(_ request: ControlRequest) async -> ControlResponse {
        guard let name = DeviceLogin(request.headers["authorization"]).flatMap({ DeviceName($0.user) }),
            settings.devices[name]?.isBlocked == false
        else { return .refusal(401, "this device is unknown") }
        do {
            let wanted = try DeviceRequest(request.method, request.path, destination: request.headers["destination"])
            return try await answer(wanted, request, of: name)
        } catch let refusal as DeviceRequest.Refusal {
            // RetroArch asks for files that are not there, and no user needs to know.
            if refusal.status != 404 { tell(.refused(name, reason: refusal.reason)) }
            return .refusal(refusal.status, refusal.reason)
        } catch {
            tell(.notSaved(name, error))
            return .refusal(503, (error as? any ExplainedError)?.message ?? "this failed: \(error)")
        }
    }

    private func answer(
        _ wanted: DeviceRequest,
        _ request: ControlRequest,
        of name: DeviceName
    ) async throws -> ControlResponse {
        switch wanted {
        case .begin:
            var response = ControlResponse(type: "text/plain", .bytes([]))
            response.headers = ["DAV": "1", "Allow": DeviceRequest.methods.joined(separator: ", ")]
            return response
        case .createFolder: return Self.done(201)
        case .readManifest:
            let session = try await beginSession(name)
            defer { settleLater(session) }
            return ControlResponse(.bytes(session.manifest.bytes))
        case .writeManifest:
            let session = try await session(of: name)
            guard let upload = request.upload else { throw DeviceRequest.Refusal(411, "the manifest is missing") }
            let body = try await session.uploads.body(upload, atMost: DeviceManifest.maximumByteCount)
            let manifest = try DeviceManifest(body)
            await finish(session, confirmedBy: manifest)
            return Self.done(201)
        case .read(let path):
            return try await working(name) { try await self.read(path, in: $0, isHead: request.method == "HEAD") }
        case .write(let path): return try await working(name) { try await self.write(path, request, in: $0) }
        case .delete(let path):
            return try await working(name) { session in
                _ = try self.game(of: path)
                session.delete(path)
                return Self.done(204)
            }
        }
    }

    private static func done(_ status: Int) -> ControlResponse {
        ControlResponse(status: status, type: "text/plain", .bytes([]))
    }

    /// Keeps the sync of a device open while a request of it runs.
    private func working(
        _ name: DeviceName,
        _ body: @Engine (DeviceSession) async throws -> ControlResponse
    ) async throws -> ControlResponse {
        let session = try await session(of: name)
        session.requestCount += 1
        defer {
            session.requestCount -= 1
            settleLater(session)
        }
        return try await body(session)
    }

    /// The game of a path, if it takes something now.
    private func game(of path: DevicePath) throws -> SaveSetID {
        guard let game = settings.games[path.folder], let state = try? games.state(of: game) else {
            throw DeviceRequest.Refusal(403, "no game is shared for “\(path.folder.rawValue)”: `huddle retroarch on`")
        }
        guard !state.isPaused else { throw DeviceRequest.Refusal(503, "the game is paused in Huddle") }
        return game
    }

    private func write(
        _ path: DevicePath,
        _ request: ControlRequest,
        in session: DeviceSession
    ) async throws -> ControlResponse {
        _ = try game(of: path)
        guard let upload = request.upload else { throw DeviceRequest.Refusal(411, "the file is missing") }
        if let announced = request.headers["content-length"].flatMap({ UInt64($0) }), announced > limits.fileBytes {
            throw DeviceRequest.Refusal(413, "a file has at most \(ByteCount(limits.fileBytes))")
        }
        let sent = try await session.uploads.take(upload)
        guard session.finishing == nil else { throw DeviceRequest.Refusal(409, "this sync has ended: sync again") }
        // If the daemon ends before a version has the file, the next sync asks the device for it again.
        let origin = session.unsaved(path)
        if settings.devices[session.device]?.holdings[path.folder, default: DeviceHoldings()].behind[path.path]
            != origin
        {
            settings.devices[session.device]?.holdings[path.folder, default: DeviceHoldings()].behind[path.path] =
                origin
            try await persist()
        }
        guard session.finishing == nil else { throw DeviceRequest.Refusal(409, "this sync has ended: sync again") }
        session.write(path, sent)
        return Self.done(201)
    }

    private func read(_ path: DevicePath, in session: DeviceSession, isHead: Bool) async throws -> ControlResponse {
        guard let content = session.read(path) else { throw DeviceRequest.Refusal(404, "there is no such file") }
        if isHead { return ControlResponse(type: Self.fileType, .bytes([])) }
        switch content {
        case .pieces(let pieces):
            if pieces.count == 1 {
                return ControlResponse(type: Self.fileType, .bytes(try await games.bytes(of: pieces[0].id)))
            }
            let source = PieceSource(pieces, games)
            return ControlResponse(type: Self.fileType, .stream { try await source.next() })
        case .sent(let file):
            let bytes = try await session.uploads.bytes(of: file.number)
            return ControlResponse(type: Self.fileType, .bytes(bytes))
        }
    }

    private static let fileType = "application/octet-stream"

    // MARK: Syncs

    private func newSession(_ name: DeviceName) -> DeviceSession {
        sessionCount += 1
        let uploads = DeviceUploads(in: "\(store.uploads)/\(name)-\(sessionCount)", limits: limits)
        return DeviceSession(name, games, hashes, uploads: uploads)
    }

    private func session(of name: DeviceName) async throws -> DeviceSession {
        if let running = sessions[name], let session = try? await running.value, session.finishing == nil {
            return session
        }
        return try await beginSession(name)
    }

    /// Begins a sync. It ends the one before, if the device has not.
    private func beginSession(_ name: DeviceName) async throws -> DeviceSession {
        let before = sessions[name]
        let task = Task { @Engine in
            if let open = try? await before?.value { await self.finish(open) }
            let session = self.newSession(name)
            try await session.begin(self.settings)
            return session
        }
        sessions[name] = task
        return try await task.value
    }

    private func settleLater(_ session: DeviceSession) {
        session.end?.cancel()
        session.end = Engine.schedule(at: .now + settle) { [weak self, weak session] in
            guard let self, let session, session.requestCount == 0 else { return }
            Task { @Engine in await self.finish(session) }
        }
    }

    /// Ends a sync: stores what the device has changed, and remembers what it has.
    private func finish(_ session: DeviceSession, confirmedBy manifest: DeviceManifest? = nil) async {
        if let running = session.finishing { return await running.value }
        session.end?.cancel()
        let task = Task { @Engine in await self.store(session, confirmedBy: manifest) }
        session.finishing = task
        await task.value
    }

    private func store(_ session: DeviceSession, confirmedBy manifest: DeviceManifest?) async {
        let (name, outcomes) = (session.device, await session.finish(confirmedBy: manifest))
        for outcome in outcomes { settings.devices[name]?.holdings[outcome.folder] = outcome.holdings }
        settings.devices[name]?.lastSync = WallTime.now.secondsSince1970
        do { try await persist() } catch { tell(.notSaved(name, error)) }
        for case .some(let failure) in outcomes.map(\.failure) { tell(.notSaved(name, failure)) }
        let names = Dictionary(games.games().map { ($0.id, $0.name) }) { first, _ in first }
        let saved = outcomes.filter { $0.savedCount > 0 }
        tell(
            .synced(
                name,
                saved: saved.reduce(0) { $0 + $1.savedCount },
                games: saved.compactMap { names[$0.game] }
            )
        )
    }

    /// Writes the settings, one after the other.
    private func persist() async throws {
        // A damaged file has devices that a user may want to save by hand.
        if let damage = failure as? ArchiveError { throw damage }
        let (wanted, store) = (settings, store)
        try await writes.write { try await store.save(wanted) }
        tell(.changed)
    }
}
