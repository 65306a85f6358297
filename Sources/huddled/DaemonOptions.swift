import CommandTable
import Discovery
import Household
import LinuxPlatform
import Session
import Vocabulary

/// What the daemon can be told when it is started.
enum DaemonOptions {
    static let state = Option(
        "state",
        .folder,
        environment: "HUDDLE_STATE",
        help: "where this machine's key and what it knows are kept"
    )
    static let runtime = Option(
        "runtime",
        .folder,
        environment: "HUDDLE_RUNTIME",
        help: "where its socket “control” is; else $XDG_RUNTIME_DIR/huddle, or with --state that folder"
    )
    static let configuration = Option(
        "config",
        .file,
        environment: "HUDDLE_CONFIG",
        help: "what it is to be like; else ~/.config/huddle/config.json5"
    )
    static let name = Option("name", short: "n", .instanceName, environment: "HUDDLE_NAME", help: "what others see")
    static let into = Option("into", .folder, help: "where files, folders and streams go")
    static let address = Option("address", .text.named("ADDRESS"), help: "listen on this address only")
    static let port = Option("port", short: "p", .port, help: "listen there; else on a free port")
    static let noAdvertise = Flag("no-advertise", help: "don't tell the network that this machine is there")
    static let noBrowse = Flag("no-browse", help: "don't look for others")
    static let type = Option(
        "type",
        short: "t",
        .serviceType,
        default: .huddle,
        environment: "HUDDLE_TYPE",
        help: "kind of service"
    )

    static let all: [any DeclaredOption] = [
        state, runtime, configuration, name, into, address, port, noAdvertise, noBrowse, type,
    ]
}
