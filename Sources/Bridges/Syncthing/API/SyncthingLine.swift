package import Household
import Ledger
import SaveRules
import SyncthingBridge
import Vocabulary

/// The lines about devices with Syncthing.
package enum SyncthingLine {
    static let kind = "syncthing"

    /// A paired device with its games, and the folders that it offers.
    static func paired(
        _ device: SyncthingSettings.Device,
        isOnline: Bool,
        _ states: [String: FolderState],
        offers: [String: String]
    ) -> DaemonLine {
        let seen = device.lastOnline.map { "last online \(TimeText.local(WallTime(secondsSince1970: $0)))" }
        let place = device.isBlocked ? "blocked" : isOnline ? "online" : seen ?? "not online yet"
        var lines = ["\(device.name.text.padded(to: 16))  Syncthing  \(place)"]
        for (game, state) in states.sorted(by: { $0.key < $1.key }) { lines.append("  \(game): \(state.text)") }
        for (id, label) in offers.sorted(by: { $0.key < $1.key }) {
            let name = PrintableText(label.isEmpty ? id : label, limit: 60)
            lines.append(
                "  offers “\(name)”: huddle syncthing accept \(ShellWord("\(PrintableText(id, limit: 60))")) GAME"
            )
        }
        var event = DeviceEvent(
            device.name.text,
            kind: kind,
            device.isBlocked ? .blocked : isOnline ? .online : .offline,
            syncedAt: device.lastOnline
        )
        event.text = device.id.description
        event.details = states.mapValues(\.text)
        return DaemonLine(.device(event), lines.joined(separator: "\n"))
    }

    /// A device that has tried to connect and is not paired.
    static func unpaired(_ id: DeviceID, _ stranger: SyncthingDevices.Stranger) -> DaemonLine {
        var event = DeviceEvent(stranger.name, kind: kind, .unpaired, syncedAt: nil)
        event.text = id.description
        let place = stranger.address.map { " at \($0)" } ?? ""
        return DaemonLine(.device(event), asking("\(id)", stranger.name, place))
    }

    private static func asking(_ id: String, _ name: String, _ place: String) -> String {
        let said = name.isEmpty ? "a device" : "“\(PrintableText(name, limit: 40))”"
        return "\(said)\(place) wants to pair: huddle syncthing pair \\\n  \(id)"
    }

    /// The event for programs that follow the daemon.
    package static func line(_ event: SyncthingBridgeEvent) -> DaemonLine? {
        switch event {
        case .changed: return .machineList
        case .online(let name):
            return DaemonLine(.device(DeviceEvent(name.text, kind: kind, .online, syncedAt: nil)), "\(name) is online")
        case .offline(let name):
            let event = DeviceEvent(name.text, kind: kind, .offline, syncedAt: nil)
            return DaemonLine(.device(event), "\(name) is offline")
        case .saved(_, _, 0): return nil
        case .saved(let device, let game, let count):
            return DaemonLine(
                .deviceSaved(DeviceSavedEvent(device.text, kind: kind, saved: count)),
                "\(device) (Syncthing) changed \(count) \(count == 1 ? "file" : "files") of \(name(game))"
            )
        case .failed(let device, let game, let error):
            return .deviceTrouble(
                .notSaved,
                kind: kind,
                "\(name(game)) is not in sync with \(device) (Syncthing): \(reason(error))",
                device
            )
        case .emptied(let device, let game):
            let game = name(game)
            return .deviceTrouble(
                .emptied,
                kind: kind,
                """
                \(device) (Syncthing) has deleted all files of \(game); nothing is deleted here
                send them again: huddle syncthing resend \(game) \(device)
                """,
                device
            )
        case .unpaired(let id, let name): return .deviceTrouble(.refused, kind: kind, asking(id, name, ""), nil)
        case .notRunning(let error):
            return .deviceTrouble(
                .notRunning,
                kind: kind,
                "devices with Syncthing can't connect: \(reason(error))",
                nil
            )
        }
    }

    private static func name(_ game: SaveSetName?) -> String { game?.description ?? "a game" }

    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as any ExplainedError: error.message
        default: "\(error)"
        }
    }
}
