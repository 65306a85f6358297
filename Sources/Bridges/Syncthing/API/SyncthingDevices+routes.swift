package import Control
import Household
import LinuxPlatform
import SyncthingBridge
import Vocabulary

/// Requests about devices with Syncthing.
extension SyncthingDevices {
    package var routes: [ControlRoute] {
        [
            ControlRoute(.syncthing) { [self] _ in
                .lines([try await self.stateLine()])
            },
            ControlRoute(.syncthingDevices) { [self] _ in
                .lines(self.devices)
            },
            ControlRoute(.syncthingDevice) { [self] call in
                .lines([self.line(of: try self.device(call.device))])
            },
            ControlRoute(.pairSyncthingDevice) { [self] call in
                .lines([try await self.pair(call)])
            },
            ControlRoute(.forgetSyncthingDevice) { [self] call in
                try await self.forget(call.device)
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.blockSyncthingDevice) { [self] call in
                try await self.block(call.device, true)
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.unblockSyncthingDevice) { [self] call in
                try await self.block(call.device, false)
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.shareWithSyncthingDevice) { [self] call in
                try await self.share(call.values["game"] ?? "", with: call.device)
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.stopSharingWithSyncthingDevice) { [self] call in
                try await self.unshare(call.values["game"] ?? "", with: call.device)
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.resendToSyncthingDevice) { [self] call in
                try self.resend(call.values["game"] ?? "", to: call.device)
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.acceptSyncthingFolder) { [self] call in
                let game = try RouteCall.asked { try call.fields("game").text("game") } ?? ""
                _ = try await self.accept(call.values["folder"] ?? "", as: game)
                return .lines([DaemonLine.done()])
            },
        ]
    }

    private func line(of device: SyncthingSettings.Device) -> DaemonLine {
        SyncthingLine.paired(
            device,
            isOnline: isOnline(device.id),
            states(of: device.id),
            offers: offers[device.id] ?? [:]
        )
    }

    /// The paired devices, and those that want to pair.
    private var devices: [DaemonLine] {
        let paired = settings.devices.values.sorted { $0.name < $1.name }.map(line(of:))
        return paired + strangers.sorted { $0.key < $1.key }.map(SyncthingLine.unpaired)
    }

    private func pair(_ call: RouteCall) async throws -> DaemonLine {
        guard let id = DeviceID(call.device) else { throw SyncthingError.badID(call.device) }
        let fields = try call.fields("name", "addresses", "port")
        let (typedName, texts, port) = try RouteCall.asked {
            (try fields.text("name"), try fields.texts("addresses"), try fields.integer("port", as: UInt16.self))
        }
        let name = try typedName.map {
            guard let name = DeviceName($0) else { throw SyncthingError.badName }
            return name
        }
        let addresses = try (texts ?? []).map {
            guard let address = DeviceAddress($0), !address.host.isEmpty else { throw SyncthingError.badAddress($0) }
            return address
        }
        try await pair(id, as: name, at: addresses, port: port)
        let own = try await ownID()
        let device = try self.device("\(id)")
        return DaemonLine(
            .device(DeviceEvent(device.name.text, kind: SyncthingLine.kind, .offline, syncedAt: device.lastOnline)),
            """
            \(device.name) is paired here. On it, in Syncthing: Add Remote Device, with this id:
              \(own)
            Then share a game: huddle share GAME --syncthing \(device.name)
            """
        )
    }

    private func stateLine() async throws -> DaemonLine {
        let id = try await ownID()
        let state = SyncthingEvent(
            port == nil ? .off : .on,
            id: id.description,
            port: port,
            counts: ["devices": settings.devices.count]
        )
        return DaemonLine(.syncthing(state), id.description)
    }
}

extension RouteCall {
    fileprivate var device: String { values["device"] ?? "" }
}
