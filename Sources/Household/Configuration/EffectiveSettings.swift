package import Vocabulary

/// The effective settings of a daemon with their sources. Options and environment count before the file, and the file
/// before the defaults.
package struct EffectiveSettings: Sendable {
    /// The settings, in the order of the output.
    package enum Setting: String, CaseIterable, Sendable {
        case name, inbox, port, address, advertise, browse, interfaces, exceptInterfaces, type
        case hook, hookSeconds, notifications, joinGames, shareFound, sendLimit, receiveLimit
        case configuration, state, socket

        /// True if the file may contain the setting: the file names neither its own path nor its owner.
        package var isInFile: Bool {
            switch self {
            case .type, .configuration, .state, .socket: false
            default: true
            }
        }
    }

    /// The source of a setting.
    package enum Origin: Hashable, Sendable {
        /// An option, by its long form.
        case option(String)
        case environment(String)
        /// The file of settings.
        case file
        /// `huddle identity --set-name`.
        case identity
        /// The default.
        case usual
    }

    /// The value of a setting and its source.
    package struct Said: Hashable, Sendable {
        package let value: String
        package let origin: Origin

        package init(_ value: String, _ origin: Origin) {
            (self.value, self.origin) = (value, origin)
        }

        /// A setting from a place that the environment may name.
        package init(_ place: Places.Place, ending: String = "") {
            self.init(place.path + ending, place.variable.map { .environment($0) } ?? .usual)
        }
    }

    static let nothing = "none"
    static let everyInterface = "all but those of containers"

    private let rows: [(key: Setting, said: Said)]
    private let file: String

    /// - Parameters:
    ///   - file: settings of the file
    ///   - places: paths by the environment
    ///   - kept: name that the user set for this identity
    ///   - said: settings that the program received by option or environment
    package init(_ file: DaemonConfiguration, _ places: Places, kept: InstanceName?, said: [Setting: Said]) {
        let state = said[.state] ?? Said(places.statePlace)
        let path = said[.configuration] ?? Said(places.configurationPlace)
        let usual: [Setting: Said] = [
            .name: kept.map { Said($0.text, .identity) } ?? Said(MachineName.own.text, .usual),
            .inbox: Said(places.inboxPlace), .port: Said("as last time", .usual), .address: Said("all", .usual),
            .advertise: Said("true", .usual), .browse: Said("true", .usual),
            .interfaces: Said(Self.everyInterface, .usual), .exceptInterfaces: Said(Self.nothing, .usual),
            .hook: Said(Self.nothing, .usual), .hookSeconds: Said("\(file.hookLimit.components.seconds)", .usual),
            .notifications: Said("true", .usual), .joinGames: Said("true", .usual),
            .shareFound: Said("false", .usual),
            .sendLimit: Said(Self.nothing, .usual), .receiveLimit: Said(Self.nothing, .usual),
            .type: Said("\(ServiceType.huddle)", .usual), .configuration: path,
            .state: state,
            .socket: Said(places.runtimePlace(for: state.value), ending: "/control"),
        ]
        let written = Self.written(file, places)
        rows = Setting.allCases.compactMap { key in
            (said[key] ?? written[key] ?? usual[key]).map { (key, $0) }
        }
        self.file = path.value
    }

    private static func written(_ file: DaemonConfiguration, _ places: Places) -> [Setting: Said] {
        file.values(in: places).reduce(into: [:]) { said, entry in
            guard file.saidKeys.contains(entry.key.rawValue) else { return }
            said[entry.key] = Said(entry.value, .file)
        }
    }

    package subscript(key: Setting) -> Said? { rows.first { $0.key == key }?.said }

    /// The lines, one for each setting.
    package var lines: [DaemonLine] {
        rows.map { key, said in
            let (kind, place, words) = words(of: said.origin)
            let value = PrintableText(said.value, limit: 4096)
            let sentence = "\(key.rawValue.padded(to: 16))  \("\(value)".padded(to: 32))  \(words)"
            let event = SettingEvent(name: key.rawValue, value: said.value, source: kind, place: place)
            return DaemonLine(.setting(event), sentence)
        }
    }

    private func words(of origin: Origin) -> (kind: String, place: String?, words: String) {
        switch origin {
        case .option(let name): ("option", name, "option \(name)")
        case .environment(let name): ("environment", name, "environment, \(name)")
        case .file: ("file", file, "file \(PrintableText(file, limit: 4096))")
        case .identity: ("identity", nil, "huddle identity --set-name")
        case .usual: ("default", nil, "default")
        }
    }
}
