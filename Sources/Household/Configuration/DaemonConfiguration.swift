package import Discovery
package import LinuxPlatform
import SecureArchive
package import Vocabulary

/// What the daemon is to be like, as its owner has written it down. What is not said is as it is without a file.
package struct DaemonConfiguration: Sendable, Hashable {
    /// What others see.
    package var name: InstanceName?
    /// The folder that takes what others send.
    package var inbox: String?
    package var port: UInt16?
    /// The one address to listen on.
    package var address: IPAddress?
    package var advertises = true
    package var browses = true
    package var onlyInterfaces: [String] = []
    package var exceptInterfaces: [String] = []
    /// What the file says anything about.
    package private(set) var saidKeys: Set<String> = []

    /// The program that is called when something happens.
    package var hook: String?
    /// How long it may take.
    package var hookLimit: Duration = .seconds(30)
    /// Whether who asks to come in is shown on the desktop.
    package var notifies = true

    package static let fileLimit = 1 << 20
    /// What the hook may take at most.
    package static let hookSeconds = 1...3600
    static let keys = EffectiveSettings.Key.allCases.filter(\.isInFile).map(\.rawValue)

    /// As it is without a file.
    package init() {}

    /// Reads a file.
    package init(_ bytes: [UInt8]) throws(ConfigurationFault) {
        let plain = JSON5.plain(bytes)
        // One line of the template is what many begin with.
        if plain.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "\"") {
            throw ConfigurationFault("settings stand within braces, as in { port: 4242 }")
        }
        do {
            let fields = try JSONFields(plain)
            try Self.checkKeys(of: fields)
            try take(fields)
        } catch let fault as ConfigurationFault {
            throw fault
        } catch let error as ArchiveError {
            throw ConfigurationFault(error, in: plain)
        } catch {
            throw ConfigurationFault("\(error)")
        }
    }

    private static func checkKeys(of fields: JSONFields) throws(ConfigurationFault) {
        for key in fields.keys where !keys.contains(key) {
            let nearest = NearestName.of(key, in: keys).map { "; did you mean “\($0)”?" } ?? ""
            throw ConfigurationFault("there is no setting “\(PrintableText(key, limit: 80))”\(nearest)")
        }
    }

    private mutating func take(_ fields: JSONFields) throws {
        saidKeys = Set(fields.keys)
        name = try fields.text("name").map { try InstanceName($0) }
        inbox = try Self.path("inbox", in: fields)
        port = try fields.integer("port")
        if port == 0 { throw ConfigurationFault("“port” is a number from 1 to 65535; leave it out for a free one") }
        address = try fields.text("address").map(Self.address)
        advertises = try fields.flag("advertise") ?? true
        browses = try fields.flag("browse") ?? true
        onlyInterfaces = try fields.texts("interfaces") ?? []
        exceptInterfaces = try fields.texts("exceptInterfaces") ?? []
        notifies = try fields.flag("notifications") ?? true
        try takeHook(fields)
    }

    private mutating func takeHook(_ fields: JSONFields) throws {
        hook = try Self.path("hook", in: fields)
        guard let seconds: Int = try fields.integer("hookSeconds") else { return }
        let range = Self.hookSeconds
        guard range.contains(seconds) else {
            throw ConfigurationFault("“hookSeconds” is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        hookLimit = .seconds(seconds)
    }

    private static func path(_ key: String, in fields: JSONFields) throws -> String? {
        let path = try fields.text(key)
        if let path, !path.hasPrefix("/"), !path.hasPrefix("~/") {
            throw ConfigurationFault("“\(key)” is a whole path, from / or ~/ on")
        }
        return path
    }

    private static func address(_ text: String) throws(ConfigurationFault) -> IPAddress {
        guard let address = IPAddress(text) else {
            throw ConfigurationFault("“address” is an IPv4 or IPv6 address, such as 127.0.0.1")
        }
        return address
    }

    /// Over which interfaces it looks and is seen.
    package var interfaces: InterfaceChoice {
        InterfaceChoice(only: onlyInterfaces, except: InterfaceChoice.containerBridges + exceptInterfaces)
    }
}

/// What is wrong with a configuration.
package struct ConfigurationFault: ExplainedError, Hashable {
    package let code: ErrorCode = "configuration.wrong"
    package let message: String
    package let nextStep = "mend it; `huddle config template` shows all settings"

    init(_ message: String) {
        self.message = message
    }

    init(_ error: ArchiveError, in plain: [UInt8]) {
        let line = error.offset.map { plain.prefix($0).count { $0 == UInt8(ascii: "\n") } + 1 }
        let place = line.map { " in line \($0)" } ?? ""
        let what = error.path.isEmpty ? "the file can't be read" : "“\(error.path)” is wrong"
        self.init("\(what)\(place): \(error.detail)")
    }
}
