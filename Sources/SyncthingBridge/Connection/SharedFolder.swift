package import LinuxPlatform
import Vocabulary

/// One folder that the household shares with one device: carries out what ``BridgedFolder`` decides.
@Engine
package final class SharedFolder {
    package let id: String
    package let label: String
    /// The rules and their state.
    package private(set) var rules: BridgedFolder
    private unowned let port: any HouseholdPort
    private let quietPeriod: Duration
    private var quietTimer: ScheduledTimer?
    /// The blocks under way; cancelled when they are no longer wanted.
    private var fetching: Task<Void, Never>?
    private var session: DeviceSession?
    /// The failures since the last version, after which the wait grows.
    private var failures = 0

    /// - Parameters:
    ///   - id: the folder's id, the same on both sides
    ///   - quietPeriod: the time without a change after which the device's index counts as quiet
    ///   - port: the household, which outlives the folder
    package init(id: String, label: String, rules: BridgedFolder, quietPeriod: Duration, port: any HouseholdPort) {
        (self.id, self.label, self.rules, self.quietPeriod, self.port) = (id, label, rules, quietPeriod, port)
    }

    // MARK: The household

    /// Takes the household's newest version.
    package func household(is version: BridgedFolder.Version, _ tree: [String: FileEntry], includesStored: Bool) {
        perform(rules.household(is: version, tree, includesStored: includesStored, at: Self.seconds))
    }

    /// Begins or ends a state in which nothing is exchanged.
    package func set(_ obstacle: BridgedFolder.Obstacle, _ isPresent: Bool) {
        perform(rules.set(obstacle, isPresent))
    }

    /// Takes the device's version although it has no file.
    package func confirmEmptied() { perform(rules.confirmEmptied()) }

    // MARK: The device

    func connect(_ session: DeviceSession, index: UInt64, upTo sequence: Int64) {
        self.session = session
        perform(rules.connect(index: index, upTo: sequence))
    }

    func disconnect() {
        session = nil
        quietTimer?.cancel()
        perform(rules.disconnect())
    }

    func take(_ message: IndexMessage) throws(ProtocolViolation) {
        perform(try rules.take(message))
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
            case .announce: session?.announce(self)
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
        let id = id
        fetching = Task { [port] in
            do {
                for entry in incoming.entries.values where entry.standing == .present {
                    for block in entry.blocks where block.size > 0 {
                        try Task.checkCancellation()
                        if await port.has(block.digest) { continue }
                        let bytes = try await session.bytes(of: block, in: entry.name, folder: id)
                        try await port.keep(bytes, block.digest)
                    }
                }
                if !Task.isCancelled { perform(rules.fetched()) }
            } catch {
                if !Task.isCancelled { failed(error) }
            }
        }
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

    /// The time of this machine, which no rule takes for more than a number that grows.
    private static var seconds: UInt64 { UInt64(max(0, FileTime.now.seconds)) }
}
