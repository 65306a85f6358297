import Digests
import LinuxPlatform
import SaveRules
import SaveSync
import SyncthingBridge
import Testing

@testable import Bridges

@Suite("The state of a game that is shared with a device")
@Engine
struct FolderStateTests {
    private let one = SnapshotID(words: (1, 0, 0, 0))
    private let two = SnapshotID(words: (2, 0, 0, 0))

    /// A folder that has learned of a version, or of a conflict.
    private func folder(_ version: SnapshotID, inConflict isInConflict: Bool = false) -> SharedFolder {
        let folder = SharedFolder(
            id: "celeste",
            label: "Celeste",
            rules: BridgedFolder(device: 1, FolderMemory(own: HouseholdIndex(id: 1))),
            quietPeriod: .seconds(60),
            port: IdleHousehold.shared
        )
        folder.household(is: SHA256Digest(words: version.words), [:], includesStored: false)
        folder.set(.conflict, isInConflict)
        return folder
    }

    private func text(_ folder: SharedFolder, _ state: BridgedState?) -> String {
        FolderState(folder, of: state, isOnline: false).text
    }

    @Test("A conflict of the game shows before the folder has learned of it, and no longer than it lasts")
    func conflict() {
        let state = BridgedState(newest: [one, two])
        #expect(text(folder(one), state) == "conflict")
        #expect(text(folder(one, inConflict: true), BridgedState(newest: [two])) == "offline")
    }

    @Test("A game that is paused, played or no longer shared says so at once")
    func obstacles() {
        #expect(text(folder(one), BridgedState(newest: [one], isPaused: true)) == "not syncing")
        #expect(text(folder(one), nil) == "not syncing")
        #expect(text(folder(one), BridgedState(newest: [one], isPlayedHere: true)) == "waiting for the game to end")
        #expect(FolderState(nil, of: BridgedState(newest: [one]), isOnline: true).text == "unavailable")
    }
}

/// A household in which nothing happens.
@Engine
private final class IdleHousehold: HouseholdPort {
    static let shared = IdleHousehold()

    nonisolated init() {}
    func mayHave(_ name: String) -> Bool { true }
    func remember(_ memory: FolderMemory) {}
    func has(_ digest: SHA256Digest) -> Bool { false }
    func keep(_ bytes: [UInt8], _ digest: SHA256Digest) {}
    func bytes(of digest: SHA256Digest) -> [UInt8]? { nil }
    func store(_ incoming: BridgedFolder.Incoming) throws -> BridgedFolder.Version { throw CancellationError() }
    func discardFetched() {}
    func tellNewest(to folder: SharedFolder) {}
    func noteEmptied() {}
    func noteFailure(_ error: any Error) {}
}
