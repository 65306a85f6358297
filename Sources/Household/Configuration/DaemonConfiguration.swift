import CommandTable
package import Discovery
package import LinuxPlatform
import SecureArchive
package import SessionRules
package import Vocabulary

/// The settings of the daemon in its file. A missing setting has its default.
package struct DaemonConfiguration: Sendable, Hashable {
    /// The name that other machines see.
    package var name: InstanceName?
    /// The folder for files that other machines send.
    package var inbox: String?
    package var port: UInt16?
    /// The one address to listen on.
    package var address: IPAddress?
    package var advertises = true
    package var browses = true
    package var onlyInterfaces: [String] = []
    package var exceptInterfaces: [String] = []
    /// The keys that the file has.
    package private(set) var saidKeys: Set<String> = []

    /// The program that the daemon calls for events.
    package var hook: String?
    /// The time limit of a call of the hook.
    package var hookLimit: Duration = .seconds(30)
    /// True to show invitations on the desktop.
    package var notifies = true
    /// Speed limits for sending and receiving, over all machines together.
    package var sendLimit = SpeedLimit.none
    package var receiveLimit = SpeedLimit.none
    /// The games that the daemon shares or joins without a command.
    package var games = AutomaticSharing()

    /// The games that the daemon shares or joins without a command.
    package struct AutomaticSharing: Sendable, Hashable {
        /// Joins games that a machine of the household shares, if they are found here.
        package var joins = true
        /// Shares games with the household as they are found here.
        package var shares = false
    }

    package static let fileLimit = 1 << 20
    /// The allowed time limits of the hook.
    package static let hookSeconds = 1...3600
    static let keys = EffectiveSettings.Setting.allCases.filter(\.isInFile).map(\.rawValue)

    /// The settings without a file.
    package init() {}

    /// Reads a file.
    ///
    /// - Parameter path: path of the file, for the error about a mistake
    package init(_ bytes: [UInt8], from path: String) throws(ConfigurationFault) {
        do {
            try self.init(plain: JSON5.plain(bytes))
        } catch {
            throw error.found(in: path)
        }
    }

    private init(plain: [UInt8]) throws(ConfigurationFault) {
        // The user may have uncommented a single line of the template without the braces.
        if plain.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "\"") {
            throw ConfigurationFault("settings are within braces, as in { port: 4242 }")
        }
        do {
            let fields = try JSONFields(plain)
            try Self.checkKeys(of: fields)
            try take(fields)
        } catch let fault as ConfigurationFault {
            throw fault.placed(in: plain)
        } catch let error as ArchiveError {
            throw ConfigurationFault(error, in: plain)
        } catch {
            throw ConfigurationFault("\(error)")
        }
    }

    private static func checkKeys(of fields: JSONFields) throws(ConfigurationFault) {
        for key in fields.keys where !keys.contains(key) {
            let nearest = NearestName.of(key, in: keys).map { "; did you mean “\($0)”?" } ?? ""
            throw ConfigurationFault("there is no setting “\(PrintableText(key, limit: 80))”\(nearest)", about: key)
        }
    }

    private mutating func take(_ fields: JSONFields) throws {
        saidKeys = Set(fields.keys)
        name = try fields.text("name").map { try InstanceName($0) }
        inbox = try Self.path("inbox", in: fields)
        port = try Self.number("port", in: fields, from: 1...65_535).map(UInt16.init)
        address = try fields.text("address").map(Self.address)
        advertises = try fields.flag("advertise") ?? true
        browses = try fields.flag("browse") ?? true
        onlyInterfaces = try fields.texts("interfaces") ?? []
        exceptInterfaces = try fields.texts("exceptInterfaces") ?? []
        notifies = try fields.flag("notifications") ?? true
        games.joins = try fields.flag("joinGames") ?? true
        games.shares = try fields.flag("shareFound") ?? false
        sendLimit = try Self.speed("sendLimit", in: fields)
        receiveLimit = try Self.speed("receiveLimit", in: fields)
        try takeHook(fields)
    }

    private static func speed(_ key: String, in fields: JSONFields) throws -> SpeedLimit {
        guard let text = try fields.text(key) else { return .none }
        do {
            return try ValueForm<SpeedLimit>.speed.value(of: text)
        } catch let error as any ExplainedError {
            throw ConfigurationFault("“\(key)” is wrong: \(error.message)", about: key)
        }
    }

    private mutating func takeHook(_ fields: JSONFields) throws {
        hook = try Self.path("hook", in: fields)
        guard let seconds = try Self.number("hookSeconds", in: fields, from: Self.hookSeconds) else { return }
        hookLimit = .seconds(seconds)
    }

    private static func number(_ key: String, in fields: JSONFields, from range: ClosedRange<Int>) throws -> Int? {
        guard let number = try fields.number(key) else { return nil }
        guard let whole = Int(exactly: number), range.contains(whole) else {
            let shown = number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
            throw ConfigurationFault(
                "“\(key)” is a whole number from \(range.lowerBound) to \(range.upperBound), not \(shown)",
                about: key
            )
        }
        return whole
    }

    private static func path(_ key: String, in fields: JSONFields) throws -> String? {
        let path = try fields.text(key)
        if let path, !path.hasPrefix("/"), !path.hasPrefix("~/") {
            throw ConfigurationFault("“\(key)” is a whole path, from / or ~/ on", about: key)
        }
        return path
    }

    private static func address(_ text: String) throws(ConfigurationFault) -> IPAddress {
        guard let address = IPAddress(text) else {
            throw ConfigurationFault("“address” is an IPv4 or IPv6 address, such as 127.0.0.1", about: "address")
        }
        return address
    }

    /// The network interfaces for advertising and browsing.
    package var interfaces: InterfaceChoice {
        InterfaceChoice(only: onlyInterfaces, except: InterfaceChoice.containerBridges + exceptInterfaces)
    }
}
