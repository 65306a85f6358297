import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle identity`: who this machine is.
enum IdentityCommand {
    static let newName = Option("set-name", .instanceName, help: "be seen under this name from now on")

    static let row = Command<CommandAction>(
        "identity",
        summary: "show who this machine is to others",
        discussion: """
            The id is the digest of this machine's public key; nobody else can show it. The key is made at the first start, \
            for your eyes only, and never leaves this machine. Peers that have pinned it know this machine by it, whatever \
            its name; who deletes the file becomes somebody else.
            """,
        options: [newName] + AskingOptions.all,
        examples: [
            Example("huddle identity", "name, id, and where the key is"),
            Example("huddle identity --set-name \"Living room\"", "choose what others see"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let path = ["v1", "identity"]
        guard let name = given[newName] else {
            return try await Daemon.show(ControlQuestion("GET", path), given, console, signals)
        }
        var body = GameBody()
        body.fields.set("name", name.text)
        let code = try await Daemon.show(ControlQuestion("PUT", path, saying: body), given, console, signals)
        guard code == .success else { return code }
        await console.complain(
            """
            huddled goes by this name once it has read its settings anew (systemctl --user reload huddled), unless they \
            give it another: see `huddle config show`
            """
        )
        return code
    }
}
