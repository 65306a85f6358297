import Ledger
import LinuxPlatform
import SaveRules
import Session
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

/// A machine of a test: a node on the loopback interface, and an engine.
@Engine
final class SaveMachine {
    let node: Node
    let engine: SaveSyncEngine
    let folder: TemporaryFolder
    let places: PlainPlaces
    /// Peers that the engine refused, and visitors that disconnected again.
    let (unanswered, visitors) = (EventQueue<PeerID>(), EventQueue<PeerID>())
    private let running: Task<Void, Never>
    private var event: [SaveSyncEvent] = []

    private init(_ node: Node, _ engine: SaveSyncEngine, _ folder: TemporaryFolder, _ places: PlainPlaces) {
        (self.node, self.engine, self.folder, self.places) = (node, engine, folder, places)
        let (unanswered, visitors) = (unanswered, visitors)
        running = Task(executorPreference: EventLoop.shared.taskExecutor) {
            await withDiscardingTaskGroup { group in
                group.addTask { await node.run() }
                group.addTask { await engine.run() }
                // As in the daemon: the engine takes its own sessions without a question to the user.
                while let event = await node.events.next() {
                    if case .invited(let invitation) = event {
                        await node.declineUnasked(invitation.id)
                        await unanswered.add(invitation.peer)
                    }
                    guard case .joined(let session, let peer) = event else { continue }
                    guard await session.configuration.name.text == "saves" else { continue }
                    group.addTask {
                        await engine.connections.take(session, from: peer)
                        await visitors.add(peer)
                    }
                }
            }
        }
    }

    static func open(
        _ name: String,
        in folder: TemporaryFolder = .inMemory(),
        watchesForReal: Bool = false,
        among chosen: (any SavePlaces)? = nil,
        _ change: (inout SaveConfiguration) -> Void = { _ in },
        as changeNode: (inout NodeConfiguration) -> Void = { _ in }
    ) async throws -> SaveMachine {
        var configuration = NodeConfiguration(folder: folder.path(of: "huddle"), name: try InstanceName(name))
        configuration.address = .v4(127, 0, 0, 1)
        (configuration.advertises, configuration.browses) = (false, false)
        configuration.patience.shutdown = .init(drain: .milliseconds(50), parting: .seconds(1))
        changeNode(&configuration)
        let node = try await Node.open(configuration)
        var keeping = SaveConfiguration(history: folder.path(of: "history"))
        change(&keeping)
        let places = PlainPlaces()
        let real = watchesForReal ? try FolderPlaces(notes: folder.path(of: "notes")) : nil
        let engine = try await SaveSyncEngine.open(keeping, beside: node, places: chosen ?? real ?? places)
        return SaveMachine(node, engine, folder, places)
    }

    /// Runs a machine's program once. Its data folder can be opened again only after that.
    static func live<Outcome>(
        _ name: String,
        in folder: TemporaryFolder,
        _ change: (inout SaveConfiguration) -> Void = { _ in },
        _ body: (SaveMachine) async throws -> Outcome
    ) async throws -> Outcome {
        let machine = try await open(name, in: folder, change)
        let outcome = try await body(machine)
        await machine.stop()
        return outcome
    }

    /// If a test fails, nothing else stops the machine.
    deinit { running.cancel() }

    var id: PeerID { node.id }

    func stop() async {
        running.cancel()
        await running.value
    }

    /// Pins the keys and addresses of both machines, and accepts both, as if paired long ago. No event reports it.
    func befriend(_ other: SaveMachine) async throws {
        try await know(other)
        for (one, two) in [(self, other), (other, self)] {
            try await one.node.ledger.setPolicy(.accept, for: two.id)
        }
    }

    /// Pins the keys of both machines, and stores their addresses.
    func know(_ other: SaveMachine) async throws {
        for (one, two) in [(self, other), (other, self)] {
            try await one.node.ledger.pin(two.id, name: two.node.configuration.name)
            try await one.node.ledger.saw(two.id, at: HostAndPort("127.0.0.1:\(two.node.port)"))
        }
    }

    // MARK: Saves

    func place(_ name: String = "celeste") -> PlainPlace { places.place(at: folder.path(of: name)) }

    func add(_ files: [String: String], _ name: String = "celeste", rules: String? = nil) async throws -> SaveSetID {
        for (file, text) in files { place(name).put(Array(text.utf8), at: file) }
        return try await engine.joining.add(SaveSetName(name), at: place(name).path) { $0.rules = rules }
    }

    /// Offers a game, and waits until the other machine has the offer.
    func offer(_ set: SaveSetID, to other: SaveMachine) async throws {
        try await engine.sharing.offer(set, to: other.id)
        _ = try await other.next(in: set) { if case .offered = $0 { true } else { nil } }
    }

    func join(_ set: SaveSetID, _ name: String = "celeste") async throws {
        try await engine.joining.join(set, at: place(name).path)
    }

    /// Offers a game, which the other machine joins, and waits until its folder shows the save.
    func share(_ set: SaveSetID, with other: SaveMachine, _ name: String = "celeste") async throws {
        try await offer(set, to: other)
        try await other.join(set, name)
        try await other.untilApplied(in: set)
    }

    func save(_ text: String, at file: String = "slot", _ name: String = "celeste", in set: SaveSetID) async throws {
        place(name).put(Array(text.utf8), at: file)
        let before = try engine.report(of: set).versions.shown?.id
        places.settle(set)
        while try engine.report(of: set).versions.shown?.id == before { try await next(in: set) { _ in true } }
    }

    func heads(of set: SaveSetID) throws -> [SnapshotID] { try engine.report(of: set).versions.heads.map(\.id) }

    func state(of set: SaveSetID) throws -> VersionState.State { try engine.report(of: set).versions.state }

    // MARK: Events

    /// Waits for the next event of a game for which the choice gives a value. It discards the events before.
    @discardableResult
    func next<Value>(in set: SaveSetID, _ choice: (SaveSyncEvent.Change) -> Value?) async throws -> Value {
        while let event = await engine.events.next() {
            if event.set == set, let value = choice(event.change) { return value }
        }
        throw CancellationError()
    }

    func untilApplied(_ wanted: SnapshotID? = nil, in set: SaveSetID) async throws {
        if let wanted, try engine.report(of: set).versions.shown?.id == wanted { return }
        try await next(in: set) { event in
            if case .applied(let id) = event, wanted == nil || id == wanted { true } else { nil }
        }
    }

    func untilConflict(in set: SaveSetID) async throws {
        if try state(of: set) == .split { return }
        try await next(in: set) { if case .conflict = $0 { true } else { nil } }
    }

    /// Waits for the audit entry of a decision.
    func noted(_ word: String) async throws -> AuditEntry {
        while true {
            if let entry = try await node.ledger.audit().values.first(where: { $0.event == word }) { return entry }
            try await othersTurn()
        }
    }

    func untilWhole(in set: SaveSetID) async throws {
        try await next(in: set) { if case .whole = $0 { true } else { nil } }
    }
}

/// Two machines that share a game.
@Engine
struct SharedSet {
    let one: SaveMachine
    let other: SaveMachine
    let set: SaveSetID

    static func open(
        _ files: [String: String] = ["slot": "chapter 1"],
        there: [String: String] = [:],
        rules: String? = nil,
        as changeNode: (inout NodeConfiguration) -> Void = { _ in }
    ) async throws -> SharedSet {
        let one = try await SaveMachine.open("one", as: changeNode)
        let other = try await SaveMachine.open("other", as: changeNode)
        try await one.befriend(other)
        let set = try await one.add(files, rules: rules)
        try await one.offer(set, to: other)
        for (file, text) in there { other.place().put(Array(text.utf8), at: file) }
        try await other.join(set)
        if there.isEmpty { try await other.untilApplied(in: set) }
        return SharedSet(one: one, other: other, set: set)
    }

    /// Waits until both machines show a version that the rules merged. If both made one, it waits until they agree on
    /// one.
    func untilMerged() async throws {
        for machine in [one, other] {
            while try machine.state(of: set) != .level
                || machine.engine.report(of: set).versions.shown?.origin != .merged
            {
                try await machine.next(in: set) { _ in true }
            }
        }
        while try one.heads(of: set) != other.heads(of: set) { try await othersTurn() }
    }

    func stop() async {
        await one.stop()
        await other.stop()
    }
}
