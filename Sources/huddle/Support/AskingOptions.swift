import CommandTable

/// The options of each command that connects to the daemon.
enum AskingOptions {
    static let state = Option(
        "state",
        .folder,
        environment: "HUDDLE_STATE",
        help: "the state folder of the daemon (default: $XDG_STATE_HOME/huddle or ~/.local/state/huddle)"
    )

    static let all: [any DeclaredOption] = [state, LookingOptions.json]
}
