import Digests
import LinuxPlatform
import SaveRules
import SaveSync
import SyncthingBridge

/// The state of a game that is shared with a device, in words.
///
/// The game's own state comes first: the folder learns of it only after it has read the newest version.
struct FolderState: Hashable, Sendable {
    let text: String

    /// - Parameter state: the game's present state; nil if it is no longer shared on this machine
    @Engine init(_ folder: SharedFolder?, of state: BridgedState?, isOnline: Bool) {
        guard let folder else {
            text = "unavailable"
            return
        }
        text = Self.text(folder, state, isOnline: isOnline)
    }

    @Engine private static func text(_ folder: SharedFolder, _ state: BridgedState?, isOnline: Bool) -> String {
        let rules = folder.rules
        if case .held = rules.phase { return "emptied on the device" }
        guard let state, !state.isPaused else { return "not syncing" }
        if state.isInConflict { return "conflict" }
        if state.isPlayed { return "waiting for the game to end" }
        guard isOnline else { return "offline" }
        // The device's user has not added the folder there yet.
        guard folder.session != nil else { return "waiting for the device to add the folder" }
        let isCurrent = state.newest.map { BridgedFolder.Version(words: $0.words) } == [rules.current]
        return switch rules.phase {
        case .still where isCurrent: rules.agreed == rules.current ? "in sync" : "sending"
        case .fetching, .storing: "receiving"
        case .offline, .gathering, .still, .waiting, .held: "comparing"
        }
    }
}

extension BridgedState {
    /// True if the game runs here, or another machine has the play lock.
    var isPlayed: Bool { isPlayedHere || player != nil }
}
