package import SaveRules
import SecureArchive
import Vocabulary

/// The settings of the RetroArch bridge and its devices, as they are stored in `retroarch.json`.
package struct RetroArchSettings: Hashable, Sendable {
    package static let usualPort: UInt16 = 55_360
    /// Maximum number of devices.
    package static let mostDevices = 16
    /// Maximum size of the file in bytes.
    package static let maximumByteCount = 32 << 20

    /// A device with RetroArch.
    package struct Device: Hashable, Sendable {
        package let name: DeviceName
        /// See ``DeviceLogin/secret(of:_:)``.
        package var secret: String
        /// True if the device gets no answer.
        package var isBlocked = false
        /// Seconds since 1970 at the end of the last sync; nil before the first.
        package var lastSync: Int64?
        /// The files that it has.
        package var holdings: [DevicePath.Folder: DeviceHoldings] = [:]

        package init(_ name: DeviceName, secret: String) { (self.name, self.secret) = (name, secret) }
    }

    package var isOn = false
    package var port = usualPort
    package var usesTLS = false
    /// The game of each folder.
    package var games: [DevicePath.Folder: SaveSetID] = [:]
    package var devices: [DeviceName: Device] = [:]

    package init() {}
}

extension RetroArchSettings {
    /// - Throws: `ArchiveError` if the file is damaged
    package init(_ bytes: [UInt8]) throws {
        guard case .dictionary(let fields) = try JSON.read(bytes) else { throw Self.damaged("no object") }
        if case .bool(let flag)? = fields["on"] { isOn = flag }
        if case .bool(let flag)? = fields["tls"] { usesTLS = flag }
        if case .integer(let number)? = fields["port"], let value = number.value(as: UInt16.self) { port = value }
        if case .dictionary(let all)? = fields["games"] {
            for folder in DevicePath.Folder.allCases {
                if case .string(let text)? = all[folder.rawValue], let id = SaveSetID(hexadecimal: text) {
                    games[folder] = id
                }
            }
        }
        guard case .array(let entries)? = fields["devices"] else { return }
        for case .dictionary(let entry) in entries.prefix(Self.mostDevices) {
            guard case .string(let text)? = entry["name"], let name = DeviceName(text),
                case .string(let secret)? = entry["secret"]
            else { throw Self.damaged("a device without a name or a password") }
            var device = Device(name, secret: secret)
            if case .bool(let flag)? = entry["blocked"] { device.isBlocked = flag }
            if case .integer(let time)? = entry["synced"] { device.lastSync = time.value(as: Int64.self) }
            for folder in DevicePath.Folder.allCases {
                if case .dictionary(let held)? = entry[folder.rawValue] {
                    device.holdings[folder] = try DeviceHoldings(held)
                }
            }
            devices[name] = device
        }
    }

    package var bytes: [UInt8] {
        var fields = ArchiveFields(reserving: 5)
        fields["on"] = .bool(isOn)
        fields["tls"] = .bool(usesTLS)
        fields["port"] = .integer(ArchiveInteger(Int(port)))
        var games = ArchiveFields(reserving: 2)
        for (folder, id) in self.games.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            games[folder.rawValue] = .string(id.description)
        }
        fields["games"] = .dictionary(games)
        fields["devices"] = .array(
            devices.values.sorted { $0.name < $1.name }.map { device in
                var entry = ArchiveFields(reserving: 6)
                entry["name"] = .string(device.name.text)
                entry["secret"] = .string(device.secret)
                entry["blocked"] = .bool(device.isBlocked)
                if let time = device.lastSync { entry["synced"] = .integer(ArchiveInteger(Int(time))) }
                for (folder, held) in device.holdings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    entry[folder.rawValue] = .dictionary(held.fields)
                }
                return .dictionary(entry)
            }
        )
        guard let bytes = try? JSON.write(.dictionary(fields)) else {
            preconditionFailure("JSON has words for texts, numbers, lists and flags")
        }
        return bytes
    }

    fileprivate static func damaged(_ what: String) -> ArchiveError { ArchiveError(.damaged, what) }
}

extension DeviceHoldings {
    fileprivate init(_ fields: ArchiveFields) throws {
        self.init()
        if case .string(let text)? = fields["base"] { base = try Self.version(text) }
        guard case .dictionary(let files)? = fields["behind"] else { return }
        for (key, value) in files {
            guard let path = try? SavePath(key), case .string(let text) = value else {
                throw RetroArchSettings.damaged("no path")
            }
            behind[path] = text.isEmpty ? .unknown : .version(try Self.version(text))
        }
    }

    private static func version(_ text: String) throws -> SnapshotID {
        guard text.utf8.count == 2 * SnapshotID.byteCount, let id = SnapshotID.names(beginningWith: text)?.lowerBound
        else { throw RetroArchSettings.damaged("no version") }
        return id
    }

    fileprivate var fields: ArchiveFields {
        var fields = ArchiveFields(reserving: 2)
        if let base { fields["base"] = .string(base.description) }
        var files = ArchiveFields(reserving: behind.count)
        for (path, origin) in behind.sorted(by: { $0.key < $1.key }) {
            if case .version(let id) = origin {
                files[path.text] = .string(id.description)
            } else {
                files[path.text] = .string("")
            }
        }
        fields["behind"] = .dictionary(files)
        return fields
    }
}
