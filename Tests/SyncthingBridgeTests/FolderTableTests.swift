import Digests
import SyncthingBridge
import Testing
import Workbench

@Suite("The table of folders shared with Syncthing", .timeLimit(.minutes(5)))
struct FolderTableTests {
    private typealias Tests = BridgedFolderTests

    private static let later = SHA256Digest(words: (2, 0, 0, 0))
    private static let stored = SHA256Digest(words: (3, 0, 0, 0))
    private static let here = ["a": Tests.file("a", content: 1)]

    @Test("The page has the effect of each event in each state")
    func page() throws {
        var table = MachineTable<BridgedFolder>("syncthing-folder", words: { _ in nil }, state: Self.state)
        table.row("offline") { Self.offline }
        table.row("gathering") { try Self.gathering() }
        table.row("still") { Self.still }
        table.row("fetching") { try Self.fetching() }
        table.row("storing") { try Self.storing() }
        table.row("waiting, the game is played") { try Self.waiting() }
        table.row("waiting, the version is stored") {
            var folder = try Self.storing()
            _ = folder.stored(as: Self.stored)
            return folder
        }
        table.row("held, the device is empty") { try Self.deviceEmptied() }
        table.row("held, the household is empty") {
            var folder = Self.still
            _ = folder.household(is: Self.later, [:], includesStored: false, at: 9)
            return folder
        }
        Self.addDeviceEvents(&table)
        Self.addHouseholdEvents(&table)
        try table.expectDocumented(states: [])
    }

    private static func addDeviceEvents(_ table: inout MachineTable<BridgedFolder>) {
        table.column("the device connects") { $0.connect(index: 5, upTo: 1) }
        table.column("its index changes") {
            try $0.take(Tests.index([Tests.file("b", content: 9, at: 9)]))
        }
        table.column("the index is quiet") { $0.quiet() }
        table.column("all blocks are here") { $0.fetched() }
        table.column("the version is stored") { $0.stored(as: stored) }
        table.column("fetching or storing fails") { $0.failed() }
        table.column("the device goes offline") { $0.disconnect() }
    }

    private static func addHouseholdEvents(_ table: inout MachineTable<BridgedFolder>) {
        table.column("a change of the household") {
            $0.household(is: later, ["a": Tests.file("a", content: 5)], includesStored: false, at: 9)
        }
        table.column("a version that includes the device's") {
            $0.household(
                is: later,
                here.merging(["b": Tests.file("b", content: 2)]) { $1 },
                includesStored: true,
                at: 9
            )
        }
        table.column("the household's files vanish") {
            $0.household(is: later, [:], includesStored: false, at: 9)
        }
        table.column("the game begins") { $0.set(.playing, true) }
        table.column("the game ends") { $0.set(.playing, false) }
        table.column("a user confirms the empty device") { $0.confirmEmptied() }
        table.column("a user confirms the empty household") {
            $0.confirmEmptied(later, includesStored: false, at: 9)
        }
    }

    private static func state(_ folder: BridgedFolder) -> String {
        switch folder.phase {
        case .offline: "offline"
        case .gathering: "gathering"
        case .still: "still"
        case .fetching: "fetching"
        case .storing: "storing"
        case .waiting: "waiting"
        case .held: "held"
        }
    }

    private static var offline: BridgedFolder {
        var folder = BridgedFolder(device: 1, FolderMemory(own: HouseholdIndex(id: 1)))
        _ = folder.household(is: Tests.version, here, includesStored: false, at: 1)
        return folder
    }

    private static func gathering() throws -> BridgedFolder {
        var folder = offline
        _ = folder.connect(index: 5, upTo: 1)
        _ = try folder.take(Tests.index([Tests.file("b", content: 2)]))
        return folder
    }

    private static var still: BridgedFolder {
        var folder = offline
        _ = folder.connect(index: 5, upTo: 0)
        _ = folder.quiet()
        return folder
    }

    private static func fetching() throws -> BridgedFolder {
        var folder = try gathering()
        _ = folder.quiet()
        return folder
    }

    private static func storing() throws -> BridgedFolder {
        var folder = try fetching()
        _ = folder.fetched()
        return folder
    }

    private static func waiting() throws -> BridgedFolder {
        var folder = try gathering()
        _ = folder.set(.playing, true)
        _ = folder.quiet()
        return folder
    }

    private static func deviceEmptied() throws -> BridgedFolder {
        var folder = still
        var gone = FileEntry(name: "a")
        (gone.standing, gone.sequence) = (.deleted, 1)
        gone.version = DeviceVector(counting: [1: 9, 2: 9])
        _ = try folder.take(Tests.index([gone]))
        _ = folder.quiet()
        return folder
    }
}
