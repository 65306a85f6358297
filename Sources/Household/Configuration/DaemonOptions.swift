package import CommandTable
package import LinuxPlatform
package import SessionRules
package import Vocabulary

/// The options of the daemon in one table. Its help, its manual, `huddle config` and the page of settings follow from
/// the table. The name of a variable follows from the key of the same setting in the file.
package enum DaemonOptions {
    package static let state = Option(
        "state",
        .folder,
        environment: "HUDDLE_STATE",
        help: "the folder of this machine's key and database"
    )
    package static let runtime = Option(
        "runtime",
        .folder,
        environment: "HUDDLE_RUNTIME",
        help: "the folder of the socket “control” (default: $XDG_RUNTIME_DIR/huddle, or the folder of --state)"
    )
    package static let configuration = Option(
        "config",
        .file,
        environment: "HUDDLE_CONFIG",
        help: "the file of settings (default: ~/.config/huddle/config.json5)"
    )
    package static let name = Option(
        "name",
        short: "n",
        .instanceName,
        environment: "HUDDLE_NAME",
        help: "the name that others see"
    )
    package static let into = Option(
        "into",
        .folder,
        environment: "HUDDLE_INBOX",
        help: "the folder of received files, folders and streams"
    )
    package static let port = Option(
        "port",
        short: "p",
        .port,
        environment: "HUDDLE_PORT",
        help: "the port (default: the last one, at first 29483, else a free port)"
    )
    package static let address = Option(
        "address",
        .ipAddress,
        environment: "HUDDLE_ADDRESS",
        help: "the address to listen on (default: all)"
    )
    package static let advertise = Option(
        "advertise",
        .truth,
        environment: "HUDDLE_ADVERTISE",
        help: "advertising this machine on the network (default: yes)"
    )
    package static let browse = Option(
        "browse",
        .truth,
        environment: "HUDDLE_BROWSE",
        help: "looking for other machines (default: yes)"
    )
    package static let interfaces = Option(
        repeating: "interface",
        short: "i",
        .patterns,
        environment: "HUDDLE_INTERFACES",
        help: "the network interfaces to use, such as eth0,wl* (default: all)"
    )
    package static let exceptInterfaces = Option(
        repeating: "except-interface",
        .patterns,
        environment: "HUDDLE_EXCEPT_INTERFACES",
        help: "network interfaces to leave out; those of containers and virtual machines are left out anyway"
    )
    package static let type = Option(
        "type",
        short: "t",
        .serviceType,
        default: .huddle,
        environment: "HUDDLE_TYPE",
        help: "the kind of service"
    )
    package static let hook = Option(
        "hook",
        .file,
        environment: "HUDDLE_HOOK",
        help: "a program that the daemon calls at events"
    )
    package static let hookSeconds = Option(
        "hook-seconds",
        .integer(in: DaemonConfiguration.hookSeconds),
        environment: "HUDDLE_HOOK_SECONDS",
        help: "the seconds that the hook may take (default: 30)"
    )
    package static let notifications = Option(
        "notifications",
        .truth,
        environment: "HUDDLE_NOTIFICATIONS",
        help: "notifications on the desktop for machines that ask to pair (default: yes)"
    )
    package static let joinGames = Option(
        "join-games",
        .truth,
        environment: "HUDDLE_JOIN_GAMES",
        help: "joining games that another of your machines shares, if they are found here (default: yes)"
    )

    package static let shareFound = Option(
        "share-found",
        .truth,
        environment: "HUDDLE_SHARE_FOUND",
        help: "sharing games with all of your machines as they are found here (default: no)"
    )

    package static let sendLimit = Option(
        "send-limit",
        .speed,
        environment: "HUDDLE_SEND_LIMIT",
        help: "the bytes a second that files, saves and streams go out with, such as 5MB (default: none)"
    )
    package static let receiveLimit = Option(
        "receive-limit",
        .speed,
        environment: "HUDDLE_RECEIVE_LIMIT",
        help: "the bytes a second that they come in with (default: none)"
    )

    /// The same option as that of `huddle inbox`.
    package static let noAdvertise = Flag("no-advertise", help: "the same as --advertise no")
    /// The same option as that of `huddle inbox`.
    package static let noBrowse = Flag("no-browse", help: "the same as --browse no")

    /// Ends the daemon together with the program that started it, even if that program is killed.
    package static let attached = Flag("attached", help: "end when standard input ends, as `huddle inbox` needs it")

    /// The option of each setting, in the order of the output.
    package static let table: [(key: EffectiveSettings.Setting, option: any DeclaredOption)] = [
        (.name, name), (.inbox, into), (.port, port), (.address, address), (.advertise, advertise), (.browse, browse),
        (.interfaces, interfaces), (.exceptInterfaces, exceptInterfaces), (.type, type), (.hook, hook),
        (.hookSeconds, hookSeconds), (.notifications, notifications), (.joinGames, joinGames),
        (.shareFound, shareFound), (.sendLimit, sendLimit), (.receiveLimit, receiveLimit),
        (.configuration, configuration), (.state, state), (.socket, runtime),
    ]

    package static let all: [any DeclaredOption] = table.map(\.option) + [noAdvertise, noBrowse, attached]

    /// Reads options and environment, as `huddled` does.
    package static func read(_ words: [String], _ environment: [String: String]) throws(UsageError) -> GivenValues {
        let command = Command("huddled", summary: "be there", options: all, action: true)
        let table = ProgramTable(command, version: Release.version)
        guard case .perform(_, let given) = try table.read(words, environment: environment) else {
            preconditionFailure("no word here asks for a page")
        }
        return given
    }
}

extension ValueForm where Value == IPAddress {
    /// An address of this machine.
    package static var ipAddress: ValueForm {
        ValueForm(placeholder: "ADDRESS", like: "127.0.0.1 or ::1", write: \.description) { text in
            guard let address = IPAddress(text) else {
                throw BadValue(
                    text,
                    isNot: "an address",
                    because: "it is neither an IPv4 nor an IPv6 address",
                    nextStep: "write it like 127.0.0.1 or ::1"
                )
            }
            return address
        }
    }
}

extension ValueForm where Value == [String] {
    /// Names with stars; commas separate several.
    package static var patterns: ValueForm {
        ValueForm(placeholder: "PATTERN", like: "eth0 or eth0,wl*", write: { $0.joined(separator: ",") }) { text in
            let patterns = text.split { $0 == "," || $0 == " " }.map(String.init)
            guard !patterns.isEmpty else {
                let nextStep = "write it like eth0,wl*"
                throw BadValue(text, isNot: "a pattern", because: "it names nothing", nextStep: nextStep)
            }
            return patterns
        }
    }
}
