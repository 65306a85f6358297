import CommandTable
import Household
import Ledger
import LinuxPlatform
import Transport
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
        options: [NodeOptions.state, NodeOptions.name, newName, LookingOptions.json],
        examples: [
            Example("huddle identity", "name, id, and where the key is"),
            Example("huddle identity --set-name \"Living room\"", "choose what others see"),
        ],
        exitCodes: [.success, .failure, .usage],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let folder = StateFolder.path(given)
        let id = try await runBlocking("identity") { try Identity.loadOrCreate(in: folder).peerID }
        let ledger = try await StateFolder.ledger(given)
        if let name = given[newName] { try await ledger.setDisplayName(name) }
        let name = try await StateFolder.ownName(given, ledger)
        let key = "\(folder)/\(Identity.fileName)"
        let sentence = """
            name   \(name)
            id     \(id)
            short  \(id.short)
            key    \(PrintableText(key, limit: 4096))
            """
        let news = SessionNews("identity", PeerTag(id, name), sentence) { $0.path = key }
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        try await report.tell(news)
        if given[newName] != nil, Counterpart.daemon(given) != nil {
            await report.complain(
                """
                huddled goes by this name once it has read its settings anew (systemctl --user reload huddled), unless they \
                give it another: see `huddle config show`
                """
            )
        }
        return .success
    }
}
