import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The services that all games of this machine share: the network, the ledger, the history, the disks, and the time.
@Engine final class SaveServices {
    let node: any SaveNetwork
    nonisolated let ledger: Ledger
    let store: PieceService
    /// Work on folders goes by way of ``SaveSet/atWorker(on:_:)``.
    let folders: FolderScheduler
    let maintenance: HistoryMaintenance
    let reader: VersionReader
    let places: any SavePlaces
    let placement: FolderPlacement
    let rights: PeerRights
    let trimmer: MemoryTrimmer
    /// Work that ends with the engine's run.
    let tasks: TaskScope
    let bounds: SaveBounds
    let patience: LeasePatience
    let clock: @Sendable () -> Int64
    /// Events for one reader. If none reads, the latest are lost.
    let events = EventQueue<SaveSyncEvent>()

    private static let unreadLimit = 1024

    init(
        _ configuration: SaveConfiguration,
        _ node: any SaveNetwork,
        _ ledger: Ledger,
        _ store: PieceService,
        _ places: any SavePlaces
    ) {
        (self.node, self.ledger, self.store, self.places) = (node, ledger, store, places)
        folders = FolderScheduler(store.history, silence: configuration.bounds.patience.diskSilence)
        (maintenance, reader) = (HistoryMaintenance(store.history), VersionReader(history: store.history))
        (rights, placement, tasks) = (PeerRights(ledger), FolderPlacement(configuration), TaskScope())
        trimmer = MemoryTrimmer(tasks) { [giveBack = configuration.giveBack, folders] in
            giveBack()
            await store.rest()
            await folders.rest()
        }
        (bounds, patience, clock) = (configuration.bounds, configuration.leases, configuration.clock)
    }

    /// The seal with which this machine signs versions.
    var seal: VersionSeal { node.seal }

    func tell(_ event: SaveSyncEvent) { if events.count < Self.unreadLimit { events.add(event) } }

    /// Writes to the audit log that data of a machine was refused.
    func note(_ refusal: SaveRefusal, by peer: PeerID, in set: SaveSetName?) {
        var details = [AuditEntry.Detail("reason", refusal.code.description)]
        if let set { details.append(.init("set", set.description)) }
        node.audit("saves-refused", about: peer, details)
    }
}
