package import Control
import Household
import Ledger
import LinuxPlatform
import SaveRules
import Vocabulary

/// Requests about devices with RetroArch.
extension RetroArchBridge {
    package var routes: [ControlRoute] {
        [
            ControlRoute(.retroArch) { [self] _ in
                .lines([self.stateLine()])
            },
            ControlRoute(.turnOnRetroArch) { [self] call in
                try await self.turnOn(call)
                return .lines([self.stateLine()])
            },
            ControlRoute(.turnOffRetroArch) { [self] _ in
                try await self.turnOff()
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.retroArchDevices) { [self] _ in
                .lines(self.settings.devices.values.sorted { $0.name < $1.name }.map(DeviceLine.line))
            },
            ControlRoute(.addRetroArchDevice) { [self] call in
                .lines([try await self.add(call)])
            },
            ControlRoute(.forgetRetroArchDevice) { [self] call in
                try await self.remove(try Self.device(call))
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.blockRetroArchDevice) { [self] call in
                try await self.block(try Self.device(call), true)
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.unblockRetroArchDevice) { [self] call in
                try await self.block(try Self.device(call), false)
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.retroArchFiles) { [self] call in
                .lines(DeviceLine.files(try await self.preview(try Self.device(call))))
            },
        ]
    }

    private static func device(_ call: RouteCall) throws -> DeviceName {
        let typed = call.values["device"] ?? ""
        guard let name = DeviceName(typed) else { throw RetroArchError.unknown(typed) }
        return name
    }

    private func turnOn(_ call: RouteCall) async throws {
        let fields = try call.fields("port", "tls", "saves", "states")
        let (port, tls) = try RouteCall.asked { (try fields.integer("port", as: UInt16.self), try fields.flag("tls")) }
        var chosen: [DevicePath.Folder: SaveSetID] = [:]
        for folder in DevicePath.Folder.allCases {
            guard let typed = try RouteCall.asked({ try fields.text(folder.rawValue) }) else { continue }
            chosen[folder] = try game(named: typed)
        }
        let usual = usualGames
        try await turnOn { settings in
            if let port { settings.port = port }
            if let tls { settings.usesTLS = tls }
            for folder in DevicePath.Folder.allCases {
                settings.games[folder] = chosen[folder] ?? settings.games[folder] ?? usual[folder]
            }
            guard !settings.games.isEmpty else { throw RetroArchError.noGame }
        }
    }

    private func add(_ call: RouteCall) async throws -> DaemonLine {
        guard let name = DeviceName(call.values["device"] ?? "") else { throw RetroArchError.badName }
        let password = try await add(name)
        let sentence = """
            On \(name), in RetroArch: Settings, Saving, Cloud Sync
              Cloud Storage Type  WebDAV
              Cloud Storage URL   \(address)
              Username            \(name)
              Password            \(password)
            Turn off “Sync: Configuration Files” there. Huddle does not show the password again.
            """
        return DaemonLine(
            .deviceAdded(DeviceAddedEvent(name.text, kind: DeviceLine.kind, password: password, at: address)),
            sentence
        )
    }

    private func stateLine() -> DaemonLine {
        let games = settings.games.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { folder, id in
            name(of: id).map { (folder.rawValue, $0.description) }
        }
        let shared = games.map { "\($0.0) in \($0.1)" }.joined(separator: ", ")
        let sentence =
            if port != nil {
                "on at \(address)\(shared.isEmpty ? "" : ": \(shared)")"
            } else if let failure {
                "no device can sync: \(DeviceLine.reason(failure))"
            } else {
                "off: no device can sync"
            }
        let state = RetroArchEvent(
            port == nil ? .off : .on,
            kind: settings.usesTLS ? "https" : "http",
            at: port == nil ? nil : address,
            port: port,
            games: Dictionary(games) { first, _ in first },
            counts: ["devices": settings.devices.count, "wrong": wrongPasswordCount]
        )
        return DaemonLine(.retroArch(state), sentence)
    }

    /// The address that the user types on a device.
    private var address: String {
        let interfaces = (try? NetworkInterface.all().filter { $0.isRunning && !$0.isLoopback }) ?? []
        let own = interfaces.flatMap(\.addresses).first { address in
            if case .v4 = address { address.isPrivate } else { false }
        }
        let host = own.map { "\($0)" } ?? "ADDRESS-OF-THIS-MACHINE"
        return "\(settings.usesTLS ? "https" : "http")://\(host):\(port ?? settings.port)/"
    }
}
