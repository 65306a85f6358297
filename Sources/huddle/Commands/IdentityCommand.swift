import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle identity`: show this machine's name and ID, or change the name.
enum IdentityCommand {
    static let newName = Option("set-name", .instanceName, help: "the new name of this machine")

    static let row = Command<CommandAction>(
        "identity",
        summary: "show this machine's name and id",
        discussion: """
            The id is the digest of this machine's public key; no other machine can prove it. The key is made at the \
            first start, only you can read it, and it never leaves this machine. Paired machines know this one by its \
            key, whatever its name. If the file of the key is deleted, this machine is a new one to them.
            """,
        options: [newName] + AskingOptions.all,
        examples: [
            Example("huddle identity", "name, id, and the file of the key"),
            Example("huddle identity --set-name \"Living room\"", "change the name that others see"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        guard let name = given[newName] else {
            return try await Daemon.show(Endpoint.identity.request(), given, console, signals)
        }
        var body = GameBody()
        body.fields.set("name", name.text)
        let code = try await Daemon.show(Endpoint.changeName.request(saying: body), given, console, signals)
        guard code == .success else { return code }
        await console.complain(
            """
            huddled uses the new name after it reads its settings again: systemctl --user reload huddled; if another \
            name is set there, that one counts: see `huddle config show`
            """
        )
        return code
    }
}
