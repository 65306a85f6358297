package import CommandTable
import Discovery
import Glibc
package import Ledger
import LinuxPlatform
package import Session
package import Vocabulary

/// The settings of one run of the daemon: its file, its environment and its options.
package struct DaemonSettings: Sendable {
    package let state: String
    package let socket: String
    package let inbox: String
    /// The settings of the file, overridden by options and environment.
    package let configuration: DaemonConfiguration
    /// The program that the daemon calls for events.
    package let hook: String?
    private let given: GivenValues
    private let file: DaemonConfiguration
    /// The path of the file, which may be missing.
    package let configurationPath: String
    let places: Places

    package init(_ given: GivenValues, _ environment: [String: String]) throws {
        places = Places(environment)
        self.given = given
        // Other parts of the program need absolute paths, and other machines see them.
        state = given.path(DaemonOptions.state, in: places) ?? places.state
        let runtime = given.path(DaemonOptions.runtime, in: places) ?? places.runtime(for: state)
        socket = Places.socket(in: runtime)
        let named = given.path(DaemonOptions.configuration, in: places)
        configurationPath = named ?? places.configuration
        file = try Self.read(named, else: places.configuration)
        configuration = file.merged(given, in: places)
        inbox = configuration.inbox.map(places.whole) ?? places.inbox
        hook = configuration.hook.map(places.whole)
    }

    /// The default state folder of this user's daemon.
    package var usualState: String { places.state }

    /// Reads the file. A file that the user names must exist.
    private static func read(_ named: String?, else usual: String) throws -> DaemonConfiguration {
        do {
            let path = named ?? usual
            return try DaemonConfiguration(try ConfigurationFile(at: path).bytes(), from: path)
        } catch let error as SystemError where error.number == ENOENT && named == nil {
            return DaemonConfiguration()
        }
    }

    /// The effective settings, each with its source.
    package func effective(kept: InstanceName?) -> EffectiveSettings {
        typealias Setting = EffectiveSettings.Setting
        var said: [Setting: EffectiveSettings.Origin] = [:]
        for (key, option) in DaemonOptions.table { said[key] = given.said(option).map { .init($0) } }
        if given[DaemonOptions.noAdvertise] { said[.advertise] = .option(DaemonOptions.noAdvertise.shape.longForm) }
        if given[DaemonOptions.noBrowse] { said[.browse] = .option(DaemonOptions.noBrowse.shape.longForm) }
        var values = configuration.values(in: places)
        values[.type] = "\(given[DaemonOptions.type])"
        values[.configuration] = configurationPath
        values[.state] = state
        values[.socket] = socket
        let merged = said.reduce(into: [Setting: EffectiveSettings.Said]()) { merged, entry in
            merged[entry.key] = .init(values[entry.key] ?? EffectiveSettings.nothing, entry.value)
        }
        return EffectiveSettings(file, places, kept: kept, said: merged)
    }

    /// Tries the steps that can fail with these settings, while the daemon still runs with the old ones. Throws the
    /// error that would end it.
    package func rehearse(beside node: Node) async throws {
        try await node.tryListening(on: configuration.address, configuration.port ?? 0)
        let (inbox, reserved) = (inbox, reserved(besides: socket))
        if let refusal = try await runBlocking("inbox", { try InboxFolder(inbox, besides: reserved) }).refusal {
            throw refusal
        }
    }

    /// The configuration of the node.
    package func node(_ ledger: Ledger) async throws -> NodeConfiguration {
        let kept = try await ledger.displayName()
        var node = NodeConfiguration(folder: state, name: configuration.name ?? kept ?? MachineName.own)
        node.program = Release.program
        node.serviceType = given[DaemonOptions.type]
        node.interfaces = configuration.interfaces
        node.listen(at: configuration.port)
        node.address = configuration.address
        node.advertises = configuration.advertises
        node.browses = configuration.browses
        node.tailscaleSocket = "/var/run/tailscale/tailscaled.sock"
        (node.limits.sending, node.limits.receiving) = (configuration.sendLimit, configuration.receiveLimit)
        return node
    }
}

extension EffectiveSettings.Origin {
    fileprivate init(_ said: SaidText) {
        self = said.variable.map { .environment($0) } ?? .option(said.option)
    }
}

extension GivenValues {
    /// The path of an option. No shell reads the unit of systemd, so `~/` is expanded here, too.
    fileprivate func path(_ option: Option<String?>, in places: Places) -> String? {
        self[option].map { WholePath.of(places.whole($0)) }
    }
}

extension DaemonConfiguration {
    /// The settings of the file, overridden by options and environment. “none” removes the value of the file; a hook of
    /// that name is ./none.
    fileprivate func merged(_ given: GivenValues, in places: Places) -> DaemonConfiguration {
        func patterns(_ option: Option<[[String]]>, else written: [String]) -> [String] {
            guard given.said(option) != nil else { return written }
            let said = given[option].flatMap(\.self)
            return said == [EffectiveSettings.nothing] ? [] : said
        }
        var merged = self
        merged.name = given[DaemonOptions.name] ?? name
        merged.inbox = given.path(DaemonOptions.into, in: places) ?? inbox
        merged.port = given[DaemonOptions.port] ?? port
        merged.address = given[DaemonOptions.address] ?? address
        merged.advertises = !given[DaemonOptions.noAdvertise] && (given[DaemonOptions.advertise] ?? advertises)
        merged.browses = !given[DaemonOptions.noBrowse] && (given[DaemonOptions.browse] ?? browses)
        merged.onlyInterfaces = patterns(DaemonOptions.interfaces, else: onlyInterfaces)
        merged.exceptInterfaces = patterns(DaemonOptions.exceptInterfaces, else: exceptInterfaces)
        merged.hook =
            given[DaemonOptions.hook] == EffectiveSettings.nothing
            ? nil : given.path(DaemonOptions.hook, in: places) ?? hook
        merged.hookLimit = given[DaemonOptions.hookSeconds].map { .seconds($0) } ?? hookLimit
        merged.notifies = given[DaemonOptions.notifications] ?? notifies
        merged.games.joins = given[DaemonOptions.joinGames] ?? games.joins
        merged.games.shares = given[DaemonOptions.shareFound] ?? games.shares
        merged.sendLimit = given[DaemonOptions.sendLimit] ?? sendLimit
        merged.receiveLimit = given[DaemonOptions.receiveLimit] ?? receiveLimit
        return merged
    }

    /// The values as the user reads them.
    func values(in places: Places) -> [EffectiveSettings.Setting: String] {
        let values: [EffectiveSettings.Setting: String?] = [
            .name: name?.text, .inbox: inbox.map(places.whole), .port: port.map { "\($0)" },
            .address: address.map { "\($0)" }, .advertise: "\(advertises)", .browse: "\(browses)",
            .interfaces: onlyInterfaces.isEmpty
                ? EffectiveSettings.everyInterface : onlyInterfaces.joined(separator: ", "),
            .exceptInterfaces: exceptInterfaces.isEmpty
                ? EffectiveSettings.nothing : exceptInterfaces.joined(separator: ", "),
            .hook: hook.map(places.whole), .hookSeconds: "\(hookLimit.components.seconds)",
            .notifications: "\(notifies)", .joinGames: "\(games.joins)",
            .shareFound: "\(games.shares)",
            .sendLimit: sendLimit.text, .receiveLimit: receiveLimit.text,
        ]
        return values.compactMapValues(\.self)
    }
}
