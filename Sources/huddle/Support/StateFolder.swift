import CommandTable
import Glibc
import Ledger
import LinuxPlatform
import Vocabulary

/// Where this machine's key and ledger are kept.
enum StateFolder {
    /// What was asked for, else the place that desktops have for such things.
    static func path(_ given: GivenValues) -> String {
        if let path = given[NodeOptions.state] { return path }
        if let base = variable("XDG_STATE_HOME"), base.hasPrefix("/") { return "\(base)/huddle" }
        return "\(home)/.local/state/huddle"
    }

    /// Where files from others go if nothing else is said.
    static var inbox: String {
        if let folder = variable("XDG_DOWNLOAD_DIR"), folder.hasPrefix("/") { return folder }
        return "\(home)/Downloads"
    }

    /// Opens what is remembered, without being anybody on the network.
    static func ledger(_ given: GivenValues) async throws -> Ledger {
        try await Ledger.open(at: path(given))
    }

    /// The name that others see.
    static func ownName(_ given: GivenValues, _ ledger: Ledger) async throws -> InstanceName {
        if let name = given[NodeOptions.name] { return name }
        if let name = try await ledger.displayName() { return name }
        return machineName
    }

    /// The first part of the machine's host name.
    static var machineName: InstanceName {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        let text = String(decoding: bytes, as: UTF8.self).split(separator: ".").first.map(String.init) ?? ""
        if let name = try? InstanceName(text) { return name }
        guard let name = try? InstanceName("huddle") else { preconditionFailure("it obeys the rules of a name") }
        return name
    }

    private static var home: String { variable("HOME") ?? "/" }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
