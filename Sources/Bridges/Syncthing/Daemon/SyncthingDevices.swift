import Ledger
package import LinuxPlatform
import SaveRules
package import SaveSync
import SecureArchive
package import SyncthingBridge
import Transport
import Vocabulary

/// Devices with Syncthing as parts of the household: they are paired by their ids, and share games as folders.
///
/// To a device this machine is one device, which speaks for the whole household. While no device is paired, no port is
/// open and no identity exists.
@Engine
package final class SyncthingDevices {
    private let games: any BridgedGames
    private let store: SyncthingStore
    private let machine: String
    private let tell: @Engine @Sendable (SyncthingBridgeEvent) -> Void
    private(set) var settings = SyncthingSettings()
    /// The reason why no device can connect although one is paired.
    private(set) var failure: (any Error)?
    private var connections: DeviceConnections?
    private var discovery: LocalDiscovery?
    private var folders: [DeviceID: [Shared]] = [:]
    /// The folders that a device offers and no game is shared as, by their ids, with their labels.
    private(set) var offers: [DeviceID: [String: String]] = [:]
    /// Devices that are not paired and have tried to connect, with the names that they say.
    private(set) var strangers: [DeviceID: Stranger] = [:]
    private let writes = OrderedWrites()

    /// A game that is shared with a device, and the task that follows it.
    private struct Shared {
        let folder: DeviceFolder
        let task: Task<Void, Never>
    }

    /// A device that is not paired.
    struct Stranger {
        let name: String
        let address: String?
    }

    private static let mostStrangers = 16
    private static let mostOffers = 64

    /// - Parameters:
    ///   - state: the daemon's own folder
    ///   - machine: this machine's name, which paired devices show
    ///   - tell: receives what happens
    package init(
        _ games: any BridgedGames,
        in state: String,
        as machine: String,
        telling tell: @escaping @Engine @Sendable (SyncthingBridgeEvent) -> Void
    ) {
        (self.games, store, self.machine, self.tell) = (games, SyncthingStore(in: state), machine, tell)
    }

    // MARK: Life

    /// Serves devices until ``end()``, if one is paired.
    package func start() async {
        do {
            settings = try await store.load() ?? SyncthingSettings()
            if settings.isOn { try await open() }
        } catch {
            failure = error
            tell(.notRunning(error))
        }
    }

    /// Ends all connections.
    package func end() async {
        discovery?.end()
        discovery = nil
        await connections?.end()
        connections = nil
        for shared in folders.values.joined() { shared.task.cancel() }
        for shared in folders.values.joined() {
            await shared.task.value
            shared.folder.close()
        }
        folders = [:]
    }

    /// The id of this machine, which is made when it is asked for first.
    package func ownID() async throws -> DeviceID {
        if let connections { return connections.own }
        guard let id = DeviceID(bytes: try await identity().certificateID.bytes) else { throw SyncthingError.badID("") }
        return id
    }

    /// The port; nil while no device can connect.
    package var port: UInt16? { connections?.port }

    private func identity() async throws -> DeviceIdentity {
        try await runBlocking("syncthing") { [state = store.state] in
            try DeviceIdentity.loadOrCreate(in: state, as: try FileName("syncthing.pem"))
        }
    }

    private func open() async throws {
        guard connections == nil else { return }
        let connections = DeviceConnections(as: try await identity(), named: machine, home)
        self.connections = connections
        for device in settings.devices.values { await openFolders(of: device) }
        // If another program has the port, this machine still dials.
        do { try connections.listen(on: settings.port) } catch {
            failure = error
            tell(.notRunning(error))
        }
        discovery = LocalDiscovery(as: connections.own) { [weak self] in self?.found($0) }
        for device in settings.devices.keys { connections.dial(device) }
        announce()
    }

    /// Announces this machine on this network while a device is not online.
    private func announce() {
        guard let port else { return }
        let isMissing = settings.devices.values.contains { !$0.isBlocked && !isOnline($0.id) }
        if isMissing { discovery?.announce(port) } else { discovery?.rest() }
    }

    private func found(_ device: DeviceID) {
        if settings.devices[device] != nil { connections?.dial(device) }
    }

    private func openFolders(of device: SyncthingSettings.Device) async {
        for share in device.shares where !(folders[device.id] ?? []).contains(where: { $0.folder.share == share }) {
            await openFolder(share, of: device.id)
        }
    }

    private func openFolder(_ share: SyncthingSettings.Share, of device: DeviceID) async {
        guard let own = connections?.own else { return }
        let folder = DeviceFolder(share, with: device, as: own, games, store) { [weak self] in
            self?.name(of: device) ?? DeviceName.unknown
        } telling: { [tell] in
            tell($0)
        }
        await folder.open()
        folders[device, default: []].append(Shared(folder: folder, task: Task { await folder.run() }))
    }

    private func name(of device: DeviceID) -> DeviceName? { settings.devices[device]?.name }

    // MARK: Devices

    /// Pairs a device, and begins to listen if it is the first one.
    ///
    /// - Parameters:
    ///   - name: its name in the household; nil for the one that the device says
    ///   - addresses: those at which it can be dialled
    ///   - port: the port to listen on from now on; nil for the present one
    func pair(_ id: DeviceID, as name: DeviceName?, at addresses: [DeviceAddress], port: UInt16?) async throws {
        if let damage = failure as? ArchiveError { throw damage }
        let before = settings
        guard id != (try await ownID()) else { throw SyncthingError.ownID }
        if let name, settings.devices.values.contains(where: { $0.name == name && $0.id != id }) {
            throw SyncthingError.nameTaken(name)
        }
        guard settings.devices[id] != nil || settings.devices.count < SyncthingSettings.mostDevices else {
            throw SyncthingError.tooMany
        }
        let said = strangers[id].flatMap { DeviceName(like: $0.name) } ?? DeviceName(like: id.shortText)
        var device =
            settings.devices[id]
            ?? SyncthingSettings.Device(id, named: name ?? settings.freeName(like: said ?? DeviceName.unknown))
        if let name { device.name = name }
        if !addresses.isEmpty { device.addresses = Array(addresses.prefix(SyncthingSettings.mostAddresses)) }
        device.isBlocked = false
        settings.devices[id] = device
        if let port { settings.port = port }
        do {
            if settings.port != connections?.port, connections != nil { await end() }
            try await openListening()
            try await persist()
        } catch {
            settings = before
            await end()
            if settings.isOn { try? await open() }
            throw error
        }
        strangers[id] = nil
        connections?.dial(id)
        announce()
    }

    /// Opens everything, and fails if another program has the port.
    private func openListening() async throws {
        failure = nil
        try await open()
        if connections?.port == nil { throw failure ?? SyncthingError.portTaken(settings.port) }
    }

    /// Forgets a device. What it has saved stays.
    func forget(_ typed: String) async throws {
        let device = try self.device(typed)
        for share in device.shares { await closeFolder(share, of: device.id) }
        settings.devices[device.id] = nil
        offers[device.id] = nil
        await connections?.drop(device.id, because: "this device is no longer paired")
        try await persist()
        if !settings.isOn { await end() }
        announce()
    }

    /// Gives a device no answer from now on, or answers it again.
    func block(_ typed: String, _ isBlocked: Bool) async throws {
        let device = try self.device(typed)
        settings.devices[device.id]?.isBlocked = isBlocked
        try await persist()
        if isBlocked {
            await connections?.drop(device.id, because: "the connection has ended")
            if !settings.isOn { await end() }
        } else {
            try await open()
            connections?.dial(device.id)
        }
        announce()
    }

    /// A paired device by its name, its id or the first group of its id.
    func device(_ typed: String) throws -> SyncthingSettings.Device {
        let all = settings.devices.values
        if let named = all.first(where: { $0.name.text == typed }) { return named }
        if let id = DeviceID(typed), let known = settings.devices[id] { return known }
        let short = all.filter { $0.id.shortText == typed.uppercased() }
        guard short.count == 1 else { throw SyncthingError.unknown(typed) }
        return short[0]
    }

    // MARK: Games

    /// Shares a game with a device.
    func share(_ game: String, with typed: String) async throws {
        let device = try self.device(typed)
        try await share(SyncthingSettings.Share(try self.game(named: game)), game, with: device)
    }

    /// Shares a game as a folder that a device offers.
    ///
    /// - Parameter typed: the folder's id or label
    func accept(_ typed: String, as game: String) async throws -> SyncthingSettings.Device {
        let id = try self.game(named: game)
        for (device, folders) in offers.sorted(by: { $0.key < $1.key }) {
            guard let known = settings.devices[device],
                let folder = folders.first(where: { $0.key == typed || $0.value == typed })
            else { continue }
            try await share(SyncthingSettings.Share(id, as: folder.key), game, with: known)
            return known
        }
        throw SyncthingError.notOffered(typed)
    }

    private func share(
        _ share: SyncthingSettings.Share,
        _ game: String,
        with device: SyncthingSettings.Device
    ) async throws {
        guard settings.devices[device.id]?.add(share) == true else {
            throw SyncthingError.alreadyShared(game, device.name)
        }
        try await persist()
        offers[device.id]?[share.folder] = nil
        await openFolder(share, of: device.id)
        await connections?.reconnect(device.id)
    }

    /// Ends sharing a game with a device. Both sides keep their files.
    func unshare(_ game: String, with typed: String) async throws {
        let device = try self.device(typed)
        let share = try self.share(of: game, with: device)
        settings.devices[device.id]?.remove(share.game)
        try await persist()
        await closeFolder(share, of: device.id)
        await connections?.reconnect(device.id)
    }

    /// Sends a game's files again to a device that has deleted all of them.
    func resend(_ game: String, to typed: String) throws {
        let device = try self.device(typed)
        let share = try self.share(of: game, with: device)
        let folder = folders[device.id]?.first { $0.folder.share == share }?.folder.folder
        guard let folder, folder.rules.phase == .held(.device) else {
            throw SyncthingError.notEmptied(game, device.name)
        }
        folder.refuseEmptied()
    }

    private func share(
        of game: String,
        with device: SyncthingSettings.Device
    ) throws -> SyncthingSettings.Share {
        let id = games.games().first { $0.name.description == game }?.id
        // A game that is no longer shared on this machine goes by the folder's id.
        guard let share = device.shares.first(where: { $0.game == id || $0.folder == game }) else {
            throw SyncthingError.notShared(game, device.name)
        }
        return share
    }

    private func closeFolder(_ share: SyncthingSettings.Share, of device: DeviceID) async {
        for shared in folders[device] ?? [] where shared.folder.share == share {
            shared.task.cancel()
            await shared.task.value
            shared.folder.close()
        }
        folders[device]?.removeAll { $0.folder.share == share }
        await store.remove(SyncthingStore.key(share, with: device))
    }

    private func game(named typed: String) throws -> SaveSetID {
        guard let game = games.games().first(where: { $0.name.description == typed }) else {
            throw SyncthingError.unknownGame(typed)
        }
        return game.id
    }

    /// The state of each game that is shared with a device, by the game's name.
    func states(of device: DeviceID) -> [String: FolderState] {
        var states: [String: FolderState] = [:]
        for shared in folders[device] ?? [] {
            let name = shared.folder.name?.description ?? shared.folder.share.folder
            let state = try? games.state(of: shared.folder.share.game)
            states[name] = FolderState(shared.folder.folder, of: state, isOnline: isOnline(device))
        }
        return states
    }

    func isOnline(_ device: DeviceID) -> Bool { connections?.isOnline(device) ?? false }

    // MARK: Connections

    private var home: DeviceConnections.Home {
        DeviceConnections.Home { [weak self] device in
            guard let known = self?.settings.devices[device] else { return .unknown }
            return known.isBlocked ? .blocked : .paired
        } folders: { [weak self] device in
            (self?.folders[device] ?? []).compactMap(\.folder.folder)
        } addresses: { [weak self] device in
            await self?.addresses(of: device)
        } tell: { [weak self] event in
            self?.take(event)
        }
    }

    /// The addresses at which to dial a device: those that it announces, the last good one, then those that a user has
    /// typed.
    ///
    /// - Returns: nil if no address is known
    private func addresses(of device: DeviceID) async -> [SocketAddress]? {
        guard let known = settings.devices[device] else { return nil }
        var found = discovery?.addresses(of: device) ?? []
        for address in [known.lastAddress].compactMap({ $0 }) + known.addresses {
            let hosts =
                if let own = IPAddress(address.host) { [own] } else {
                    (try? await runBlocking("syncthing") { try IPAddress.lookUp(address.host) }) ?? []
                }
            for host in hosts.prefix(4) where !found.contains(SocketAddress(host, port: address.port)) {
                found.append(SocketAddress(host, port: address.port))
            }
        }
        return found.isEmpty && known.addresses.isEmpty ? nil : found
    }

    private func take(_ event: DeviceConnections.Event) {
        switch event {
        case .online(let device, let hello, let address): greet(device, hello, address)
        case .offline(let device):
            offers[device] = nil
            announce()
            guard settings.devices[device] != nil else { return }
            settings.devices[device]?.lastOnline = WallTime.now.secondsSince1970
            Task { try? await persist() }
            if let name = name(of: device) { tell(.offline(name)) }
        case .shares(let device, let config):
            let shared = Set(settings.devices[device]?.shares.map(\.folder) ?? [])
            let offered = config.folders.filter { !shared.contains($0.id) && !$0.isPaused }.prefix(Self.mostOffers)
            offers[device] = Dictionary(offered.map { ($0.id, $0.label) }) { first, _ in first }
        case .unknown(let device, let hello, let address):
            guard strangers[device] == nil, strangers.count < Self.mostStrangers else { return }
            strangers[device] = Stranger(name: hello.deviceName, address: address.map { "\($0.address)" })
            tell(.unpaired(id: device.description, name: hello.deviceName))
        }
    }

    private func greet(_ id: DeviceID, _ hello: HelloMessage, _ address: SocketAddress?) {
        guard var device = settings.devices[id] else { return }
        if device.name == DeviceName(like: id.shortText), let said = DeviceName(like: hello.deviceName) {
            device.name = settings.freeName(like: said)
        }
        if let address { device.lastAddress = DeviceAddress("\(address)") ?? device.lastAddress }
        device.lastOnline = WallTime.now.secondsSince1970
        settings.devices[id] = device
        Task { try? await persist() }
        announce()
        tell(.online(device.name))
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

extension DeviceName {
    /// A device of which nothing else is known.
    static let unknown: DeviceName = {
        guard let name = DeviceName("device") else { preconditionFailure("a word is a name") }
        return name
    }()
}
