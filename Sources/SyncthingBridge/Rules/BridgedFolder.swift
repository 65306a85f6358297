package import Digests

/// The rules of one folder that the household shares with one device: a pure value.
///
/// The device's changes become versions of the household as a whole, after its index is quiet and every block is here.
/// The household's versions are announced as a whole, and never while the device has changes that are not taken yet. If
/// both sides changed, the household is in conflict. Nothing is announced until the user has chosen.
package struct BridgedFolder: Hashable, Sendable {
    /// A version of the household.
    package typealias Version = SHA256Digest

    package enum Phase: Hashable, Sendable {
        /// The device is not connected.
        case offline
        /// All entries that the device sent are taken.
        case still
        /// The device's index changes, or is not complete yet.
        case gathering
        /// An obstacle delays the device's changes: see ``BridgedFolder/obstacles``.
        case waiting
        /// This machine fetches the blocks of the device's version.
        case fetching(Incoming)
        /// The household stores the device's version.
        case storing(Incoming)
        /// Everything vanished on one side. The user must confirm it.
        case held(EmptiedSide)
    }

    package enum EmptiedSide: Hashable, Sendable {
        case household
        case device
    }

    /// The state of the device's index.
    private enum Hearing: Hashable, Sendable {
        case offline
        case changing
        case quiet
    }

    /// A state of the household in which nothing is exchanged.
    package enum Obstacle: Hashable, Sendable {
        case playing
        case conflict
        case paused
    }

    /// A version of the device that the household is to take.
    package struct Incoming: Hashable, Sendable {
        /// The household's version from which the device's is made; nil if they have none in common.
        package let base: Version?
        /// The device's files, deleted ones included. A file of the base that is not among them stays as it is.
        package let entries: [String: FileEntry]
    }

    package enum Action: Hashable, Sendable {
        /// Send changes of the household's index to the device.
        case announce
        /// Call ``BridgedFolder/quiet()`` once nothing has come for the quiet period.
        case awaitQuiet
        /// Fetch every block, then call ``BridgedFolder/fetched()``.
        case fetch
        /// Abandon the blocks that are under way.
        case abandonFetch
        /// Store the version, then call ``BridgedFolder/stored(as:)``.
        case store
        /// Tell the user that everything vanished.
        case tellEmptied
    }

    package private(set) var own: HouseholdIndex
    package private(set) var theirs: DeviceIndex
    package private(set) var phase = Phase.offline
    package private(set) var obstacles: Set<Obstacle> = []
    /// The version whose content the household's index has.
    package private(set) var current: Version?
    /// The last version from which the device's content is made.
    package private(set) var agreed: Version?
    /// The device's version that was stored last, until the household's newest version includes it.
    package private(set) var stored: FolderMemory.Stored?
    /// The sequence up to which the device's index must have come.
    private var expected: Int64 = 0
    private var hearing = Hearing.offline
    private let device: UInt64

    /// - Parameters:
    ///   - device: ``DeviceID/short`` of this household
    ///   - memory: the state as it was, or one with an empty index and a new random number
    package init(device: UInt64, _ memory: FolderMemory) {
        (self.device, own, agreed, stored) = (device, memory.own, memory.agreed, memory.stored)
        theirs = DeviceIndex(id: 0)
    }

    /// The part of the state that must outlive the program.
    package var memory: FolderMemory { FolderMemory(own: own, agreed: agreed, stored: stored) }

    private var taken: [String: FileEntry]? { stored?.entries }
}

// MARK: The device

extension BridgedFolder {
    /// Notes the device's report about its index when it connected.
    ///
    /// - Parameters:
    ///   - id: the number of its index
    ///   - sequence: the sequence up to which it will send entries
    package mutating func connect(index id: UInt64, upTo sequence: Int64) -> [Action] {
        if theirs.id != id { theirs = DeviceIndex(id: id) }
        expected = sequence
        return changed()
    }

    /// Takes a part of the device's index.
    package mutating func take(_ message: IndexMessage) throws(ProtocolViolation) -> [Action] {
        try theirs.take(message)
        return changed()
    }

    private mutating func changed() -> [Action] {
        hearing = .changing
        var actions: [Action] = []
        switch phase {
        case .fetching:
            actions.append(.abandonFetch)
            phase = .gathering
        case .offline, .still, .held(.device): phase = .gathering
        case .gathering, .waiting, .storing, .held(.household): break
        }
        return actions + [.awaitQuiet]
    }

    /// Notes that the device's index has not changed for the quiet period. An incomplete index stays incomplete.
    /// Otherwise a device that sends a large index slowly would seem to have deleted the rest.
    package mutating func quiet() -> [Action] {
        guard hearing == .changing, theirs.sequence >= expected else { return [] }
        hearing = .quiet
        return phase == .gathering ? settle() : []
    }

    /// Notes that the connection is lost. Received entries stay; blocks that are being fetched don't arrive.
    package mutating func disconnect() -> [Action] {
        hearing = .offline
        switch phase {
        case .fetching:
            phase = .offline
            return [.abandonFetch]
        case .still, .gathering, .held(.device): phase = .offline
        case .offline, .waiting, .storing, .held(.household): break
        }
        return []
    }

    /// Notes that every block is here.
    package mutating func fetched() -> [Action] {
        guard case .fetching(let incoming) = phase else { return [] }
        phase = .storing(incoming)
        return [.store]
    }

    /// Notes that the household has stored the device's version. The household then reports its newest version.
    package mutating func stored(as version: Version) -> [Action] {
        guard case .storing(let incoming) = phase else { return [] }
        (agreed, stored) = (version, FolderMemory.Stored(version: version, entries: incoming.entries))
        phase = .waiting
        return []
    }

    /// Notes that the device's version could not be fetched or stored. It is retried after the next quiet period.
    package mutating func failed() -> [Action] {
        switch phase {
        case .fetching, .storing: break
        case .offline, .still, .gathering, .waiting, .held: return []
        }
        guard hearing != .offline else {
            phase = .offline
            return []
        }
        (phase, hearing) = (.gathering, .changing)
        return [.awaitQuiet]
    }
}

// MARK: The household

extension BridgedFolder {
    /// Takes the household's newest version.
    ///
    /// - Parameters:
    ///   - tree: its files by name, without those that can't be synced
    ///   - includesStored: true if it includes the version that was stored last
    ///   - seconds: the time
    package mutating func household(
        is version: Version,
        _ tree: [String: FileEntry],
        includesStored: Bool,
        at seconds: UInt64
    ) -> [Action] {
        obstacles.remove(.conflict)
        // A folder on a disk that is not mounted looks empty, and must not empty the device's.
        if tree.isEmpty, own.hasPresentEntries, !(includesStored && taken.map(Self.isEmpty) ?? false) {
            return holdHousehold()
        }
        return take(version, tree, includesStored: includesStored, at: seconds)
    }

    private mutating func holdHousehold() -> [Action] {
        switch phase {
        // The household reports its newest version again after it has stored the device's.
        case .storing: return []
        case .fetching:
            phase = .held(.household)
            return [.abandonFetch, .tellEmptied]
        case .offline, .still, .gathering, .waiting, .held:
            phase = .held(.household)
            return [.tellEmptied]
        }
    }

    /// Takes a version without files, after the user has confirmed it.
    package mutating func confirmEmptied(_ version: Version, includesStored: Bool, at seconds: UInt64) -> [Action] {
        guard phase == .held(.household) else { return [] }
        return take(version, [:], includesStored: includesStored, at: seconds)
    }

    private mutating func take(
        _ version: Version,
        _ tree: [String: FileEntry],
        includesStored: Bool,
        at seconds: UInt64
    ) -> [Action] {
        own.change(to: tree, including: includesStored ? taken ?? [:] : [:], by: device, at: seconds)
        current = version
        if includesStored { stored = nil }
        switch phase {
        case .storing: return []
        case .fetching:
            // The version that is being fetched may have another base now.
            return [.abandonFetch] + settle()
        case .offline, .still, .gathering, .waiting, .held: return settle()
        }
    }

    /// Begins or ends a state in which nothing is exchanged.
    package mutating func set(_ obstacle: Obstacle, _ isPresent: Bool) -> [Action] {
        if isPresent { obstacles.insert(obstacle) } else { obstacles.remove(obstacle) }
        switch phase {
        case .fetching where isPresent:
            phase = .waiting
            return [.abandonFetch]
        case .waiting where !isPresent: return settle()
        default: return []
        }
    }

    /// Takes the device's version although it has no file, after the user has confirmed it.
    package mutating func confirmEmptied() -> [Action] {
        guard phase == .held(.device) else { return [] }
        return begin(IndexComparison(own.entries, theirs.synced))
    }

    /// Announces the household's files again to a device that has deleted all of them.
    package mutating func refuseEmptied(at seconds: UInt64) -> [Action] {
        guard phase == .held(.device) else { return [] }
        let present = own.entries.filter { $0.value.standing == .present }
        own.change(to: present, including: theirs.synced, by: device, at: seconds)
        return settle()
    }
}

// MARK: The decision

extension BridgedFolder {
    private mutating func settle() -> [Action] {
        guard obstacles.isEmpty, taken == nil else {
            phase = .waiting
            return []
        }
        guard hearing == .quiet else {
            // The household's changes from the time when the device was offline wait until its index is known. The
            // device may have changed files, too, and both together would be a version that no game has written.
            phase = hearing == .offline ? .offline : .gathering
            return []
        }
        let theirFiles = theirs.synced
        let comparison = IndexComparison(own.entries, theirFiles)
        guard !comparison.behind.isEmpty else {
            own.merge(comparison.versions)
            if comparison.ahead.isEmpty { agreed = current }
            phase = .still
            return own.release() ? [.announce] : []
        }
        if Self.isEmpty(theirFiles), own.hasPresentEntries {
            phase = .held(.device)
            return [.tellEmptied]
        }
        return begin(comparison)
    }

    private mutating func begin(_ comparison: IndexComparison) -> [Action] {
        // A device that has not all of the household's changes made its own without them.
        let base = comparison.ahead.isEmpty ? current : agreed
        phase = .fetching(Incoming(base: base, entries: theirs.synced))
        return [.fetch]
    }

    private static func isEmpty(_ files: [String: FileEntry]) -> Bool {
        !files.values.contains { $0.standing == .present }
    }
}
