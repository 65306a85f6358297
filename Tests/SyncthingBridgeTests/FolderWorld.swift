import Digests
import SyncthingBridge
import TestSupport

/// A household and a device of Syncthing in one random run: both change files, the line is cut, games are played, and
/// conflicts are settled one way or the other.
struct FolderWorld {
    struct Stored {
        var tree: [String: FileEntry]
        var parents: [SHA256Digest]
    }

    private static let us: UInt64 = 1
    private static let them: UInt64 = 2
    private static let names = ["a", "b", "c", "d"]

    private var generator: SeededGenerator
    private(set) var folder = BridgedFolder(device: us, FolderMemory(own: HouseholdIndex(id: 1)))
    /// All versions of the household. None is ever removed.
    private(set) var history: [SHA256Digest: Stored] = [:]
    private(set) var heads: [SHA256Digest] = []
    private var lastStored: SHA256Digest?
    private(set) var device: [String: FileEntry] = [:]
    private var deviceSequence: Int64 = 0
    /// The sequences that each side has of the other, and whether the line holds.
    private var sentToDevice: Int64 = 0
    private var sentToUs: Int64 = 0
    private(set) var isConnected = false
    private var clock: UInt64 = 1_000
    private var contents: UInt64 = 0
    private(set) var copies = 0
    private(set) var conflicts = 0
    /// Contents that Syncthing replaced by the household's although the household has never had them.
    private(set) var lost: [String] = []
    private var isPlaying = false

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        store([:], parents: [], replacing: [])
        tellHousehold()
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps { step() }
        rest()
    }

    // MARK: Steps

    private mutating func step() {
        clock += 1
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1: changeHousehold()
        case 2, 3: changeDevice()
        case 4, 5: deliverToUs()
        case 6: deliverToDevice()
        case 7, 8: perform(folder.quiet())
        case 9: isConnected ? disconnect() : connect()
        case 10: choose()
        default:
            isPlaying.toggle()
            perform(folder.set(.playing, isPlaying))
        }
    }

    /// Lets all come to rest: the line holds, the game ends, conflicts are settled.
    private mutating func rest() {
        if isPlaying {
            isPlaying = false
            perform(folder.set(.playing, false))
        }
        if !isConnected { connect() }
        for _ in 0..<20 {
            choose()
            deliverToUs()
            perform(folder.quiet())
            if case .held(let side) = folder.phase { confirm(side) }
            deliverToDevice()
        }
    }

    private mutating func confirm(_ side: BridgedFolder.EmptiedSide) {
        switch side {
        case .device: perform(folder.confirmEmptied())
        case .household:
            perform(folder.confirmEmptied(heads[0], includesStored: includesStored(heads[0]), at: clock))
        }
    }

    private func entry(_ name: String, content: UInt64) -> FileEntry {
        var entry = FileEntry(name: name)
        entry.size = 1
        entry.blocks = [FileBlock(offset: 0, size: 1, digest: SHA256Digest(words: (content, 0, 0, 0)))]
        return entry
    }

    private mutating func newContent() -> UInt64 {
        contents += 1
        return contents
    }

    // MARK: The household

    private mutating func store(_ tree: [String: FileEntry], parents: [SHA256Digest], replacing: [SHA256Digest]) {
        let version = SHA256Digest(words: (UInt64(history.count) + 1, 0, 0, 0))
        history[version] = Stored(tree: tree, parents: parents)
        heads.removeAll { replacing.contains($0) }
        heads.append(version)
    }

    private mutating func changeHousehold() {
        guard heads.count == 1 else { return }
        var tree = history[heads[0]]?.tree ?? [:]
        for _ in 0...Int.random(in: 0..<2, using: &generator) {
            let name = Self.names.randomElement(using: &generator) ?? "a"
            tree[name] = Bool.random(using: &generator) || tree[name] == nil ? entry(name, content: newContent()) : nil
        }
        store(tree, parents: heads, replacing: heads)
        tellHousehold()
    }

    private mutating func choose() {
        guard heads.count > 1 else { return }
        let chosen = heads.randomElement(using: &generator) ?? heads[0]
        store(history[chosen]?.tree ?? [:], parents: heads, replacing: heads)
        tellHousehold()
    }

    private mutating func tellHousehold() {
        guard heads.count == 1 else { return perform(folder.set(.conflict, true)) }
        let newest = heads[0]
        let tree = history[newest]?.tree ?? [:]
        perform(folder.household(is: newest, tree, includesStored: includesStored(newest), at: clock))
    }

    private func includesStored(_ version: SHA256Digest) -> Bool {
        guard let lastStored else { return false }
        return version == lastStored || (history[version]?.parents ?? []).contains { includesStored($0) }
    }

    private mutating func takeIn(_ incoming: BridgedFolder.Incoming) {
        let base = incoming.base.flatMap { history[$0] }?.tree ?? [:]
        var tree = base
        for (name, entry) in incoming.entries { tree[name] = entry.standing == .present ? entry : nil }
        let parent = incoming.base
        store(tree, parents: parent.map { [$0] } ?? [], replacing: parent.map { [$0] } ?? [])
        if heads.count > 1 { conflicts += 1 }
        let version = heads[heads.count - 1]
        lastStored = version
        perform(folder.stored(as: version))
        tellHousehold()
    }

    private mutating func perform(_ actions: [BridgedFolder.Action]) {
        for action in actions {
            switch action {
            case .fetch: perform(folder.fetched())
            case .store:
                if case .storing(let incoming) = folder.phase { takeIn(incoming) }
            case .announce, .awaitQuiet, .abandonFetch, .tellEmptied: break
            }
        }
    }

    // MARK: The device

    private mutating func changeDevice() {
        let name = Self.names.randomElement(using: &generator) ?? "a"
        let isPresent = device[name]?.standing == .present
        guard Bool.random(using: &generator) || !isPresent else {
            var gone = device[name] ?? FileEntry(name: name)
            (gone.standing, gone.blocks, gone.size) = (.deleted, [], 0)
            return putOnDevice(gone, changed: true)
        }
        var new = entry(name, content: newContent())
        new.version = device[name]?.version ?? .empty
        putOnDevice(new, changed: true)
    }

    private mutating func putOnDevice(_ entry: FileEntry, changed: Bool) {
        deviceSequence += 1
        var entry = entry
        entry.sequence = deviceSequence
        if changed { entry.version = entry.version.changed(by: Self.them, at: clock) }
        device[entry.name] = entry
    }

    private mutating func connect() {
        isConnected = true
        perform(folder.connect(index: 5, upTo: deviceSequence))
        sentToUs = folder.theirs.sequence
    }

    private mutating func disconnect() {
        isConnected = false
        perform(folder.disconnect())
    }

    private mutating func deliverToUs() {
        guard isConnected else { return }
        let entries = device.values.filter { $0.sequence > sentToUs }.sorted { $0.sequence < $1.sequence }
        guard !entries.isEmpty else { return }
        sentToUs = deviceSequence
        if let actions = try? folder.take(IndexMessage(folder: "f", extent: .update, entries: entries)) {
            perform(actions)
        }
    }

    /// Does what Syncthing does with a household's entries: the newer one wins, and of two concurrent ones the
    /// household's, after the device's was copied.
    private mutating func deliverToDevice() {
        guard isConnected else { return }
        for entry in folder.own.changes(after: sentToDevice) {
            sentToDevice = entry.sequence
            let mine = device[entry.name]
            let order = mine.map { entry.version.order(to: $0.version) } ?? .newer
            guard order == .newer || order == .concurrent else { continue }
            if order == .concurrent, let mine, !mine.hasContent(of: entry), mine.standing == .present { copies += 1 }
            if let mine, mine.standing == .present, order == .newer, !mine.hasContent(of: entry), !isKept(mine) {
                lost.append(entry.name)
            }
            putOnDevice(entry, changed: false)
        }
    }

    /// True if a version of the household has this content.
    private func isKept(_ entry: FileEntry) -> Bool {
        history.values.contains { $0.tree[entry.name]?.hasContent(of: entry) ?? false }
    }

    // MARK: The end

    private func contents(_ tree: [String: FileEntry]) -> [String: [FileBlock]] {
        tree.filter { $0.value.standing == .present }.mapValues(\.blocks)
    }

    var householdContents: [String: [FileBlock]] { contents(heads.first.flatMap { history[$0] }?.tree ?? [:]) }
    var deviceContents: [String: [FileBlock]] { contents(device) }
}
