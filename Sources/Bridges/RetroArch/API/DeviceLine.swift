package import Household
import Ledger
import SaveRules
import Vocabulary

/// The lines about devices.
package enum DeviceLine {
    static let kind = "retroarch"

    static func line(_ device: RetroArchSettings.Device) -> DaemonLine {
        let synced =
            device.lastSync.map { "synced \(TimeText.local(WallTime(secondsSince1970: $0)))" } ?? "not synced yet"
        let place = device.isBlocked ? "blocked" : synced
        let state: DeviceEvent.State = device.isBlocked ? .blocked : .allowed
        return DaemonLine(
            .device(DeviceEvent(device.name.text, kind: kind, state, syncedAt: device.lastSync)),
            "\(device.name.text.padded(to: 16))  RetroArch  \(place)"
        )
    }

    static func files(_ manifest: DeviceManifest) -> [DaemonLine] {
        manifest.files.sorted { $0.key < $1.key }.map { path, hash in
            DaemonLine(
                .deviceFile(DeviceFileEvent(path.text, md5: hash)),
                "\(path)\(hash == nil ? "  deleted" : "")"
            )
        }
    }

    /// The event for programs that follow the daemon.
    package static func line(_ event: RetroArchBridgeEvent) -> DaemonLine? {
        switch event {
        case .changed: return .machineList
        case .synced(_, 0, _): return nil
        case .synced(let device, let count, let games):
            let names = games.map(\.description).joined(separator: ", ")
            return DaemonLine(
                .deviceSaved(DeviceSavedEvent(device.text, kind: kind, saved: count)),
                "\(device) (RetroArch) saved \(count) \(count == 1 ? "file" : "files") of \(names)"
            )
        case .notSaved(let device, let error):
            return .deviceTrouble(
                .notSaved,
                kind: kind,
                "\(device) (RetroArch): files are not saved yet: \(reason(error))",
                device
            )
        case .refused(let device, let reason):
            return .deviceTrouble(.refused, kind: kind, "\(device) (RetroArch) was refused: \(reason)", device)
        case .notRunning(let error):
            return .deviceTrouble(.notRunning, kind: kind, "devices with RetroArch can't sync: \(reason(error))", nil)
        case .wrongPassword(let count):
            let sentence = count == 1 ? "a wrong password" : "\(count) wrong passwords"
            return .deviceTrouble(.wrongPassword, kind: kind, "\(sentence) for RetroArch's cloud sync", nil)
        }
    }

    static func reason(_ error: any Error) -> String {
        switch error {
        case let refusal as DeviceRequest.Refusal: refusal.reason
        case let error as any ExplainedError: error.message
        default: "\(error)"
        }
    }
}
