import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
@testable import SaveSync
import Session
import Synchronization
import TestSupport
import Testing

@Suite("The end of the sync engine", .timeLimit(.minutes(5)))
struct EndingTests {
    @Test("The engine hears nothing of a folder after its end")
    @Engine
    func lateWord() async throws {
        let (places, folder) = (LatePlaces(), TemporaryFolder.inMemory())
        weak let engine = try await Self.live(among: places, in: folder)
        while engine != nil { try await othersTurn() }
        for event in [PlaceEvent.settled, .opened, .gone, .back] { places.tell(event) }
        // Waits on the loop that handles the events until they are handled.
        await Engine.loop.performing {}
        #expect(places.tellerCount == 1)
    }

    /// Opens a machine that keeps a game, and stops it.
    @Engine
    private static func live(among places: LatePlaces, in folder: TemporaryFolder) async throws -> SaveSyncEngine? {
        let machine = try await SaveMachine.open("alone", in: folder, among: places)
        let set = try await machine.add(["slot": "chapter 1"])
        while places.tellerCount == 0 { try await othersTurn() }
        try await machine.engine.play(of: set).untilQuiet()
        await machine.stop()
        return machine.engine
    }

    @Test("a folder that changes while it is read is read again, and that is no problem")
    @Engine
    func stirring() async throws {
        let machine = try await SaveMachine.open("alone")
        let set = try await machine.add(["slot": "chapter 1"])
        try await machine.next(in: set) { if case .captured = $0 { true } else { nil } }
        try await machine.engine.play(of: set).untilQuiet()
        machine.places.stirs.withLock { $0 = true }
        machine.place().put(Array("chapter 2".utf8), at: "slot")
        machine.places.settle(set)
        while machine.places.stirs.withLock({ $0 }) { try await othersTurn() }
        machine.places.settle(set)
        let isCalm = try await machine.next(in: set) { event in
            switch event {
            case .captured: true
            case .trouble: false
            default: nil
            }
        }
        #expect(isCalm)
        await machine.stop()
    }
}

/// Folders that still report events after their watch ended: an event may be on its way.
private final class LatePlaces: SavePlaces {
    private let plain = PlainPlaces()
    private let tellers = Mutex<[@Sendable (PlaceEvent) -> Void]>([])

    var tellerCount: Int { tellers.withLock { $0.count } }

    func place(of set: SaveSetEntry) throws -> any SavePlace { try plain.place(of: set) }

    func watch(
        _ place: any SavePlace,
        of set: SaveSetEntry,
        telling tell: @escaping @Sendable (PlaceEvent) -> Void
    ) async {
        tellers.withLock { $0.append(tell) }
        await plain.watch(place, of: set, telling: tell)
    }

    func wasRead(_ set: SaveSetID, _ outcome: FolderReadOutcome) async -> Bool { await plain.wasRead(set, outcome) }

    func lookAgain(at set: SaveSetID) async { await plain.lookAgain(at: set) }

    func unwatch(_ set: SaveSetID) async { await plain.unwatch(set) }

    func run() async throws { try await plain.run() }

    func tell(_ event: PlaceEvent) {
        for tell in tellers.withLock({ $0 }) { tell(event) }
    }
}
