import LinuxPlatform
import SyncthingBridge

/// The state of a game that is shared with a device, in words.
struct FolderState: Hashable, Sendable {
    let text: String

    @Engine init(_ shared: DeviceFolder, isOnline: Bool) {
        guard let folder = shared.folder else {
            text = "unavailable"
            return
        }
        text = Self.text(folder, isOnline: isOnline)
    }

    @Engine private static func text(_ folder: SharedFolder, isOnline: Bool) -> String {
        let rules = folder.rules
        if case .held = rules.phase { return "emptied on the device" }
        if rules.obstacles.contains(.conflict) { return "conflict" }
        if rules.obstacles.contains(.paused) { return "not syncing" }
        if rules.obstacles.contains(.playing) { return "waiting for the game to end" }
        guard isOnline else { return "offline" }
        // The device's user has not added the folder there yet.
        guard folder.session != nil else { return "waiting for the device to add the folder" }
        return switch rules.phase {
        case .still: rules.agreed == rules.current ? "in sync" : "sending"
        case .fetching, .storing: "receiving"
        case .offline, .gathering, .waiting, .held: "comparing"
        }
    }
}
