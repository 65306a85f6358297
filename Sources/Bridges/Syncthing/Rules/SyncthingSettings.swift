package import SaveRules
import SecureArchive
package import SyncthingBridge
package import Vocabulary

/// The devices with Syncthing and the games that are shared with them, as they are stored in `syncthing.json`.
package struct SyncthingSettings: Hashable, Sendable {
    /// Maximum number of paired devices.
    package static let mostDevices = 16
    /// Maximum number of games that one device shares.
    package static let mostShares = 256
    /// Maximum number of typed addresses of one device.
    package static let mostAddresses = 8
    /// Maximum size of the file in bytes.
    package static let maximumByteCount = 4 << 20

    /// A game that is shared with a device.
    package struct Share: Hashable, Sendable {
        package let game: SaveSetID
        /// The folder's id, the same on both sides.
        package let folder: String

        package init(_ game: SaveSetID, as folder: String) { (self.game, self.folder) = (game, folder) }

        /// A folder that the household offers: its id is the same for all devices.
        package init(_ game: SaveSetID) { self.init(game, as: "huddle-\("\(game)".prefix(16))") }
    }

    /// A paired device.
    package struct Device: Hashable, Sendable {
        package let id: DeviceID
        package var name: DeviceName
        /// True if the device gets no answer.
        package var isBlocked = false
        /// The addresses that a user has typed.
        package var addresses: [DeviceAddress] = []
        /// The address at which the device was reached last.
        package var lastAddress: DeviceAddress?
        /// Seconds since 1970 when the device was online last; nil before the first time.
        package var lastOnline: Int64?
        /// By the folder's id, each game once.
        package private(set) var shares: [Share] = []

        package init(_ id: DeviceID, named name: DeviceName) { (self.id, self.name) = (id, name) }

        /// Adds a game.
        ///
        /// - Returns: false if the game or the folder is shared already, or there are too many
        package mutating func add(_ share: Share) -> Bool {
            guard shares.count < mostShares,
                !shares.contains(where: { $0.game == share.game || $0.folder == share.folder })
            else { return false }
            shares = (shares + [share]).sorted { $0.folder < $1.folder }
            return true
        }

        package mutating func remove(_ game: SaveSetID) { shares.removeAll { $0.game == game } }

        /// The device as all machines show it in the history.
        package var label: Label { name.label(of: "Syncthing") }
    }

    package var port = DeviceAddress.usualPort
    package var devices: [DeviceID: Device] = [:]

    package init() {}

    /// True if a device may connect. Otherwise no port is open, and nothing runs.
    package var isOn: Bool { devices.values.contains { !$0.isBlocked } }

    /// A name that no device has.
    package func freeName(like wanted: DeviceName) -> DeviceName {
        let taken = Set(devices.values.map(\.name))
        guard taken.contains(wanted) else { return wanted }
        for number in 2...(Self.mostDevices + 1) {
            if let name = DeviceName("\(wanted.text.prefix(28))-\(number)"), !taken.contains(name) { return name }
        }
        return wanted
    }
}

extension SyncthingSettings {
    /// - Throws: `ArchiveError` if the file is damaged
    package init(_ bytes: [UInt8]) throws {
        guard case .dictionary(let fields) = try JSON.read(bytes) else { throw Self.damaged("no object") }
        if case .integer(let number)? = fields["port"], let value = number.value(as: UInt16.self), value > 0 {
            port = value
        }
        guard case .array(let entries)? = fields["devices"] else { return }
        for case .dictionary(let entry) in entries.prefix(Self.mostDevices) {
            let device = try Device(entry)
            devices[device.id] = device
        }
    }

    package var bytes: [UInt8] {
        var fields = ArchiveFields(reserving: 2)
        fields["port"] = .integer(ArchiveInteger(Int(port)))
        fields["devices"] = .array(devices.values.sorted { $0.id < $1.id }.map { .dictionary($0.fields) })
        guard let bytes = try? JSON.write(.dictionary(fields)) else {
            preconditionFailure("JSON has words for texts, numbers, lists and flags")
        }
        return bytes
    }

    fileprivate static func damaged(_ what: String) -> ArchiveError { ArchiveError(.damaged, what) }
}

extension SyncthingSettings.Device {
    fileprivate init(_ fields: ArchiveFields) throws {
        guard case .string(let idText)? = fields["id"], let id = DeviceID(idText),
            case .string(let nameText)? = fields["name"], let name = DeviceName(nameText)
        else { throw SyncthingSettings.damaged("a device without an id or a name") }
        self.init(id, named: name)
        if case .bool(let flag)? = fields["blocked"] { isBlocked = flag }
        if case .integer(let time)? = fields["online"] { lastOnline = time.value(as: Int64.self) }
        if case .string(let text)? = fields["last"] { lastAddress = DeviceAddress(text) }
        if case .array(let texts)? = fields["addresses"] {
            for case .string(let text) in texts.prefix(SyncthingSettings.mostAddresses) {
                if let address = DeviceAddress(text) { addresses.append(address) }
            }
        }
        guard case .dictionary(let shares)? = fields["shares"] else { return }
        for (folder, value) in shares {
            guard case .string(let text) = value, let game = SaveSetID(hexadecimal: text),
                add(SyncthingSettings.Share(game, as: folder))
            else { throw SyncthingSettings.damaged("a folder without a game") }
        }
    }

    fileprivate var fields: ArchiveFields {
        var fields = ArchiveFields(reserving: 7)
        fields["id"] = .string(id.description)
        fields["name"] = .string(name.text)
        fields["blocked"] = .bool(isBlocked)
        if let lastOnline { fields["online"] = .integer(ArchiveInteger(Int(lastOnline))) }
        if let lastAddress { fields["last"] = .string(lastAddress.description) }
        fields["addresses"] = .array(addresses.map { .string($0.description) })
        var shares = ArchiveFields(reserving: self.shares.count)
        for share in self.shares { shares[share.folder] = .string("\(share.game)") }
        fields["shares"] = .dictionary(shares)
        return fields
    }
}
