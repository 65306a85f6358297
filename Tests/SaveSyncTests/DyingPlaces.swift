import Glibc
import History
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import SaveSync
import Synchronization
import Vocabulary

/// Folders on the disk, for a program that dies right after it changes one: none of the following steps happens.
final class DyingPlaces: SavePlaces {
    private let real: FolderPlaces
    let death = Death()

    init(notes: String) throws { real = try FolderPlaces(notes: notes) }

    /// The death of the program, and the action of the game at that moment.
    final class Death: Sendable {
        private let isThere = Mutex(false)
        let game = Mutex<(@Sendable () -> Void)?>(nil)
        private static let died = SaveFolderError(SystemError("write", EIO), at: "a program that has died")

        var hasCome: Bool { isThere.withLock { $0 } }

        func look() throws {
            if hasCome { throw Self.died }
        }

        func comes() throws {
            guard let game = game.withLock({ $0 }) else { return }
            isThere.withLock { $0 = true }
            game()
            throw Self.died
        }
    }

    struct Place: SavePlace {
        let real: any SavePlace
        let death: Death

        func read(into batch: HistoryBatch, rereading: Bool, over kept: Manifest?) throws -> Manifest? {
            try death.look()
            return try real.read(into: batch, rereading: rereading, over: kept)
        }

        func change(to target: Manifest, as version: SnapshotID, over base: Manifest, from history: History) throws
            -> PlaceChange
        {
            try death.look()
            let change = try real.change(to: target, as: version, over: base, from: history)
            if change == .done { try death.comes() }
            return change
        }

        func writer() throws -> String? { try real.writer() }

        func recover() throws -> SnapshotID? {
            try death.look()
            return try real.recover()
        }

        func acknowledge() throws {
            try death.look()
            try real.acknowledge()
        }

        var leftOut: LeftOutFiles { real.leftOut }

        func startFresh() throws {
            try death.look()
            try real.startFresh()
        }

        func rest() throws { try death.look() }
    }

    func place(of set: SaveSetEntry) throws -> any SavePlace { Place(real: try real.place(of: set), death: death) }

    func watch(
        _ place: any SavePlace,
        of set: SaveSetEntry,
        telling tell: @escaping @Sendable (PlaceEvent) -> Void
    ) async {
        guard let place = place as? Place else { preconditionFailure("a place is watched by its maker") }
        await real.watch(place.real, of: set, telling: tell)
    }

    func wasRead(_ set: SaveSetID, _ outcome: FolderReadOutcome) async -> Bool { await real.wasRead(set, outcome) }

    func lookAgain(at set: SaveSetID) async { await real.lookAgain(at: set) }

    func unwatch(_ set: SaveSetID) async { await real.unwatch(set) }

    func run() async throws { try await real.run() }
}
