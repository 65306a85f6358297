import Digests
package import LinuxPlatform
import Vocabulary

/// One folder that the household shares with one device. It carries out the decisions of ``BridgedFolder``.
@Engine
package final class SharedFolder {
    package let id: String
    package let label: String
    /// The rules and their state.
    package private(set) var rules: BridgedFolder
    private let port: any HouseholdPort
    private let quietPeriod: Duration
    private var quietTimer: ScheduledTimer?
    /// The task that fetches blocks; cancelled when they are no longer wanted.
    private var fetching: Task<Void, Never>?
    /// The connection over which both sides share the folder; nil while there is none.
    package private(set) var session: DeviceSession?
    /// The failures since the last version, after which the wait grows.
    private var failures = 0
    private var saving: Task<Void, Never>?
    private var saveTimer: ScheduledTimer?
    private var saved: Mark
    /// The sequence up to which the household's index is safe on the disk, and devices may learn of it.
    private(set) var announced: Int64

    /// The time after which a state that could not be stored is stored again.
    private static let savePause = Duration.seconds(15)
    /// The most blocks, and bytes of them, that are requested at a time.
    private static let window = (blocks: 16, bytes: 4 << 20)

    /// - Parameters:
    ///   - id: the folder's id, the same on both sides
    ///   - quietPeriod: the time without a change after which the device's index counts as quiet
    ///   - port: the household, which releases the folder when it is no longer shared
    package init(id: String, label: String, rules: BridgedFolder, quietPeriod: Duration, port: any HouseholdPort) {
        (self.id, self.label, self.rules, self.quietPeriod, self.port) = (id, label, rules, quietPeriod, port)
        (saved, announced) = (Mark(rules), rules.own.released)
    }

    // MARK: The household

    /// Takes the household's newest version.
    package func household(is version: BridgedFolder.Version, _ tree: [String: FileEntry], includesStored: Bool) {
        perform(rules.household(is: version, tree, includesStored: includesStored, at: Self.seconds))
    }

    /// Takes a newest version without files that the user has confirmed.
    package func confirmEmptied(_ version: BridgedFolder.Version, includesStored: Bool) {
        perform(rules.confirmEmptied(version, includesStored: includesStored, at: Self.seconds))
    }

    /// Begins or ends a state in which nothing is exchanged.
    package func set(_ obstacle: BridgedFolder.Obstacle, _ isPresent: Bool) {
        perform(rules.set(obstacle, isPresent))
    }

    /// Takes the device's version although it has no file.
    package func confirmEmptied() { perform(rules.confirmEmptied()) }

    /// Announces the household's files again to a device that has deleted all of them.
    package func refuseEmptied() { perform(rules.refuseEmptied(at: Self.seconds)) }

    // MARK: The device

    func connect(_ session: DeviceSession, index: UInt64, upTo sequence: Int64) {
        self.session = session
        perform(rules.connect(index: index, upTo: sequence))
    }

    func disconnect(_ session: DeviceSession) {
        // A device that dials again may have a new connection before the old one has ended.
        guard self.session === session else { return }
        self.session = nil
        quietTimer?.cancel()
        perform(rules.disconnect())
    }

    func take(_ message: IndexMessage) throws(ProtocolViolation) {
        var message = message
        for place in message.entries.indices where !port.mayHave(message.entries[place].name) {
            message.entries[place].standing = .invalid
        }
        perform(try rules.take(message))
    }

    /// The changes of the household's index that the device may have after a sequence.
    func changes(after last: Int64) -> some Sequence<FileEntry> {
        rules.own.changes(after: last).prefix { $0.sequence <= announced }
    }

    /// The bytes of a block that the device may have; nil if there is no such.
    func bytes(for request: BlockRequest) async throws -> [UInt8]? {
        guard let entry = rules.own.entries[request.name], entry.sequence <= rules.own.released,
            let block = entry.blocks.first(where: { $0.offset == request.offset && $0.size == request.size }),
            request.digest == nil || request.digest == block.digest
        else { return nil }
        return block.size == 0 ? [] : try await port.bytes(of: block.digest)
    }

    // MARK: Actions

    private func perform(_ actions: [BridgedFolder.Action]) {
        for action in actions {
            switch action {
            case .announce: break
            case .awaitQuiet: awaitQuiet()
            case .fetch: fetch()
            case .abandonFetch:
                fetching?.cancel()
                fetching = nil
                port.discardFetched()
            case .store: store()
            case .tellEmptied: port.noteEmptied()
            }
        }
        save()
    }

    /// The part of the state that shows if ``BridgedFolder/memory`` has changed.
    private struct Mark: Hashable {
        let (sequence, released): (Int64, Int64)
        let (agreed, stored): (BridgedFolder.Version?, BridgedFolder.Version?)

        init(_ rules: BridgedFolder) {
            (sequence, released) = (rules.own.sequence, rules.own.released)
            (agreed, stored) = (rules.agreed, rules.stored?.version)
        }
    }

    /// Stores the state if it has changed, then announces the changes.
    private func save() {
        guard saving == nil, Mark(rules) != saved else { return }
        saving = Task {
            defer { saving = nil }
            while Mark(rules) != saved {
                let (memory, mark) = (rules.memory, Mark(rules))
                do { try await port.remember(memory) } catch {
                    port.noteFailure(error)
                    saveTimer = Engine.schedule(at: .now + Self.savePause) { @Sendable [weak self] in self?.save() }
                    return
                }
                (saved, announced) = (mark, memory.own.released)
                session?.announce(self)
            }
        }
    }

    private func awaitQuiet() {
        quietTimer?.cancel()
        let wait = quietPeriod * (1 << min(failures, 6))
        quietTimer = Engine.schedule(at: .now + wait) { @Sendable [weak self] in
            guard let self else { return }
            perform(rules.quiet())
        }
    }

    private func fetch() {
        guard case .fetching(let incoming) = rules.phase, let session else { return }
        fetching = Task {
            do {
                try await fetch(incoming, from: session)
                if !Task.isCancelled { perform(rules.fetched()) }
            } catch {
                if !Task.isCancelled { failed(error) }
            }
        }
    }

    private func fetch(_ incoming: BridgedFolder.Incoming, from session: DeviceSession) async throws {
        var (running, wanted) = ([Task<Void, any Error>](), Set<SHA256Digest>())
        defer { for task in running { task.cancel() } }
        for entry in incoming.entries.values where entry.standing == .present {
            let most = min(Self.window.blocks, max(1, Self.window.bytes / Int(entry.blockSize)))
            for block in entry.blocks where block.size > 0 {
                guard await !port.has(block.digest), wanted.insert(block.digest).inserted else { continue }
                while running.count >= most { try await running.removeFirst().valueOrCancelled() }
                try Task.checkCancellation()
                running.append(
                    Task { [id, port] in
                        let bytes = try await session.bytes(of: block, in: entry.name, folder: id)
                        try Task.checkCancellation()
                        try await port.keep(bytes, block.digest)
                    }
                )
            }
        }
        while !running.isEmpty { try await running.removeFirst().valueOrCancelled() }
    }

    private func failed(_ error: any Error) {
        failures += 1
        port.discardFetched()
        port.noteFailure(error)
        perform(rules.failed())
    }

    private func store() {
        guard case .storing(let incoming) = rules.phase else { return }
        fetching = nil
        Task { [port] in
            do {
                let version = try await port.store(incoming)
                failures = 0
                perform(rules.stored(as: version))
                port.tellNewest(to: self)
            } catch {
                failed(error)
            }
        }
    }

    /// The time of this machine. The rules use it only as a number that grows.
    private static var seconds: UInt64 { UInt64(max(0, FileTime.now.seconds)) }
}

extension Task<Void, any Error> {
    /// Waits for the task, which is cancelled with the caller.
    fileprivate nonisolated(nonsending) func valueOrCancelled() async throws {
        try await withTaskCancellationHandler {
            try await value
        } onCancel: {
            cancel()
        }
    }
}
