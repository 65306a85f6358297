import CommandTable
import Discovery
import Household
import LinuxPlatform
import Session
import Vocabulary

/// The options of every command that is somebody on the network.
enum NodeOptions {
    static let state = Option(
        "state",
        .folder,
        environment: "HUDDLE_STATE",
        help:
            "where this machine's key and what it knows are kept; else $XDG_STATE_HOME/huddle or ~/.local/state/huddle"
    )
    static let name = Option(
        "name",
        short: "n",
        .instanceName,
        environment: "HUDDLE_NAME",
        help: "what others see; else the name that was set with “huddle identity --set-name”, else that of the machine"
    )
    static let address = Option("address", .ipAddress, help: "listen on this address only, such as 127.0.0.1")
    static let port = Option(
        "port",
        short: "p",
        .port,
        help: "where it listens (default: where it did last, at first 29483, else a free port)"
    )
    static let noAdvertise = Flag("no-advertise", help: "don't tell the network that this machine is there")
    static let noBrowse = Flag("no-browse", help: "don't look for others; they are reached at the addresses you type")

    /// For those that others come to.
    static let present: [any DeclaredOption] = [
        state, name, address, port, noAdvertise, noBrowse, LookingOptions.type, LookingOptions.only,
        LookingOptions.except,
        LookingOptions.json,
    ]

    /// For those that go to others.
    static let calling: [any DeclaredOption] = [
        state, name, noBrowse, LookingOptions.type, LookingOptions.only, LookingOptions.except, LookingOptions.json,
    ]

    /// What is said to who was told what a daemon decides for itself; nil where nothing was.
    static func withoutEffect(_ given: GivenValues) -> String? {
        let ofDaemon: [any DeclaredOption] = [
            name, address, port, LookingOptions.type, LookingOptions.only, LookingOptions.except,
        ]
        let said = ofDaemon.compactMap(given.said).filter { $0.variable == nil }.map(\.option)
        guard !said.isEmpty else { return nil }
        let words = said.joined(separator: ", ")
        return "huddled runs here and goes by its own settings, without \(words): see `huddle config show`"
    }

    /// For those that only look at what is kept here.
    static let keeping: [any DeclaredOption] = [state, LookingOptions.json]
}
