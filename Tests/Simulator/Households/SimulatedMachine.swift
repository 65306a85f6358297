import Digests
import Glibc
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Synchronization
import Transport
import Vocabulary

/// A machine of the household. Its disk outlives its daemon, and its daemon may end at any moment.
@Engine
final class SimulatedMachine {
    let number: Int
    nonisolated let id: PeerID
    private let identity: Identity
    private let network: SimulatedNetwork
    private let root: String
    private let trace: Trace
    private let folders = Mutex<[String: SimulatedFolder]>([:])
    let hardDisk = SimulatedDisk()
    /// True if its program is older and has no vouching.
    let isOlder: Bool
    /// True if it signs with a key other than its own.
    let isForger: Bool
    private let leases: LeasePatience
    private var dice: Dice
    /// The error of its calendar clock.
    private let clockError = Mutex(Duration.zero)
    /// The number of its starts.
    private var generation = 0
    private(set) var daemon: Daemon?
    /// The versions that its daemon reported as made of saves.
    private(set) var captured: [SaveSetID: Set<SnapshotID>] = [:]
    /// The time of the last disturbance, after which the machine may be late.
    private var lastTrouble = ContinuousClock.Instant.current
    /// The number of present faults of its disk and its connections.
    private var troubleCount = 0
    /// The folders of games that a user has moved.
    private var paths: [Int: String] = [:]
    /// The readers of the daemon's events, and of its audit entries about a machine.
    var heard: @Engine (SimulatedMachine, SaveSyncEvent) -> Void = { _, _ in }
    var audited: @Engine (SimulatedMachine, String, PeerID) -> Void = { _, _, _ in }

    /// One run of the daemon.
    struct Daemon {
        let keeper: SaveSyncEngine
        let ledger: Ledger
        let node: SimulatedNode
        let places: SimulatedPlaces
        let task: Task<Void, Never>
    }

    init(_ number: Int, of plan: Plan, seed: UInt64, _ network: SimulatedNetwork, at root: String, _ trace: Trace) {
        (self.number, self.network, self.root, self.trace) = (number, network, "\(root)/\(number)", trace)
        isOlder = plan.older == number
        isForger = plan.older == number && plan.isForged
        leases = plan.isSlow ? LeasePatience(renewal: .seconds(120), expiry: .seconds(480)) : LeasePatience()
        dice = Dice(seed ^ UInt64(number + 1))
        var state = seed &+ UInt64(number)
        let secret = (0..<4).flatMap { _ in withUnsafeBytes(of: state.nextOfSplitMix().bigEndian) { Array($0) } }
        identity = Identity.derived(from: secret)
        id = identity.peerID
        mkdir(self.root, 0o700)
        mkdir(disk, 0o700)
    }

    var name: String { "m\(number)" }
    private var disk: String { "\(root)/\(generation)" }

    nonisolated func folder(_ path: String) -> SimulatedFolder {
        folders.withLock { folders in
            let folder = folders[path] ?? SimulatedFolder()
            folders[path] = folder
            return folder
        }
    }

    func setClock(by change: Duration) { clockError.withLock { $0 += change } }

    func isDisturbed() { lastTrouble = .current }

    func troubleBegins() { troubleCount += 1 }

    func troubleEnds() {
        troubleCount -= 1
        isDisturbed()
    }

    /// True if nothing has disturbed the machine for that long.
    func isCalm(for duration: Duration) -> Bool { troubleCount == 0 && .current - lastTrouble > duration }

    // MARK: Folders

    func path(of game: Int) -> String { paths[game] ?? "/games/\(game)" }

    func folder(of game: Int) -> SimulatedFolder { folder(path(of: game)) }

    /// Notes that a user has moved a game to another folder.
    func moves(_ game: Int, to path: String) { paths[game] = path }

    /// The number of power cuts and starts. From it, a game notices that it ended with the machine.
    private(set) var powerCuts = 0

    // MARK: Power

    func boot(knowing others: [SimulatedMachine]) async throws {
        precondition(daemon == nil, "one daemon at a time")
        isDisturbed()
        hardDisk.hasPower()
        let ledger = try await Ledger.open(at: "\(disk)/ledger")
        if generation == 0 {
            for other in others {
                try await ledger.pin(other.id)
                try await ledger.setPolicy(.accept, for: other.id)
            }
        }
        let node = SimulatedNode(id, isForger ? forgery() : VersionSeal(identity), network, isOlder: isOlder)
        node.audited = { [weak self] event, peer in
            guard let self else { return }
            trace.add(name, "\(event) \(peer.short)")
            audited(self, event, peer)
        }
        let places = SimulatedPlaces(on: hardDisk) { [weak self] path in self?.folder(path) ?? SimulatedFolder() }
        var configuration = SaveConfiguration(history: "\(disk)/history")
        configuration.giveBack = {}
        configuration.storeCalls = hardDisk.calls(in: configuration.history, undo: "\(root)/undo-\(generation)")
        configuration.leases = leases
        configuration.clock = { [weak self] in
            let now = FileTime.now
            let error = self?.clockError.withLock { $0 } ?? .zero
            return now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000) + error.components.seconds * 1_000
        }
        let keeper = try await SaveSyncEngine.open(configuration, beside: node, ledger, places: places)
        node.accept = { [weak keeper] peer, session in
            guard let keeper, let known = try? await ledger.peer(peer), known.policy == .accept else { return false }
            Task(executorPreference: EventLoop.shared.taskExecutor) {
                await keeper.connections.take(session, from: peer)
            }
            return true
        }
        let task = Task(executorPreference: EventLoop.shared.taskExecutor) { [weak self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await keeper.run() }
                group.addTask {
                    while let event = await keeper.events.next() { await self?.hears(event, of: node) }
                }
            }
        }
        daemon = Daemon(keeper: keeper, ledger: ledger, node: node, places: places, task: task)
        network.add(node)
    }

    /// A seal with signatures by another key.
    private func forgery() -> VersionSeal {
        let other = Identity.derived(from: [UInt8](repeating: 7, count: 32))
        return VersionSeal(of: identity.publicKey, hashedBy: Digest.sha256) { other.signature(of: $0) }
    }

    private func hears(_ event: SaveSyncEvent, of node: SimulatedNode) {
        guard !node.isDead else { return }
        trace.add(name, "\(event.name) \(event.change)")
        switch event.change {
        case .captured(let id), .merged(let id): captured[event.set, default: []].insert(id)
        default: break
        }
        heard(self, event)
    }

    /// Lets power fail at one of the disk's next calls. Between two calls, other machines would see no difference.
    func crash(within calls: Int) {
        guard let daemon else { return }
        let (seed, before, after) = (dice.next(), disk, "\(root)/\(generation + 1)")
        hardDisk.fails(after: calls) { [hardDisk, places = daemon.places] in
            places.die()
            copyFolder(before, to: after)
            var dice = Dice(seed)
            hardDisk.tear("\(after)/history", &dice)
            Task(executorPreference: EventLoop.shared.taskExecutor) { await self.crash() }
        }
    }

    /// Lets power fail now. The next start finds the present contents of the disk.
    func crash() {
        guard let daemon else { return }
        self.daemon = nil
        let before = disk
        if moveDisk() { hardDisk.tear("\(disk)/history", &dice) }
        powerCuts += 1
        isDisturbed()
        end(daemon, because: .lost)
        Task(executorPreference: EventLoop.shared.taskExecutor) { [undo = "\(root)/undo-\(generation - 1)"] in
            await daemon.task.value
            removeFolder(before)
            removeFolder(undo)
        }
    }

    /// Ends the daemon in order.
    func shutDown() async {
        guard let daemon else { return }
        self.daemon = nil
        daemon.task.cancel()
        await daemon.task.value
        end(daemon, because: .shuttingDown)
        // Moves the disk, because some code here may still hold files of that daemon open. In reality they close with
        // its process.
        moveDisk()
        removeFolder("\(root)/\(generation - 1)")
        removeFolder("\(root)/undo-\(generation - 1)")
    }

    /// Copies the disk for the next start. Returns false if a power cut at a call has already done so.
    @discardableResult private func moveDisk() -> Bool {
        let before = disk
        generation += 1
        guard !hardDisk.hasLostPower else { return false }
        copyFolder(before, to: disk)
        return true
    }

    private func end(_ daemon: Daemon, because reason: PartingReason) {
        daemon.places.die()
        daemon.node.die(because: reason)
        daemon.task.cancel()
        for folder in folders.withLock({ $0.values }) {
            folder.state.withLock { ($0.watchers, $0.isPlayed) = ([:], false) }
        }
    }

    /// Lets the disk hang for a while.
    func stall(for duration: Duration, _ time: VirtualTime) {
        guard let daemon else { return }
        isDisturbed()
        for loop in daemon.keeper.diskLoops + [daemon.ledger.loop] { time.stall(loop, for: duration) }
    }
}

private func copyFolder(_ source: String, to target: String) {
    mkdir(target, 0o700)
    for name in names(in: source) {
        let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
        var status = stat()
        guard lstat(from, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
            copyFolder(from, to: to)
        } else {
            let (input, output) = (open(from, O_RDONLY | O_CLOEXEC), open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
            precondition(input >= 0 && output >= 0, "a file of the simulation can be copied")
            while sendfile(output, input, nil, 1 << 30) > 0 {}
            close(input)
            close(output)
        }
    }
}

func removeFolder(_ path: String) {
    for name in names(in: path) {
        let inner = "\(path)/\(name)"
        if unlink(inner) != 0 { removeFolder(inner) }
    }
    rmdir(path)
}

func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}
