import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle policy`: who comes in how, and what they may do.
enum PolicyCommand {
    static let peer = Argument(optional: "PEER", .text.named("PEER"), help: "whom it is about; without it, everybody")
    static let set = Option(
        "set",
        .oneOf(Policy.allCases.map(\.rawValue) + ["default"]),
        help: "what becomes of its invitations; without PEER, of those from peers that have no policy of their own"
    )
    static let allow = Option(
        "allow",
        .permissions,
        help: "what it may do once it is in: messages, streams, resources, saves, all or none, with commas between"
    )

    static let row = Command<CommandAction>(
        "policy",
        summary: "show or choose who comes in how, and what they may do",
        discussion: """
            accept lets a known peer in without a question; a stranger is a question all the same. ask makes each \
            invitation a question. block gives no answer at all. default goes by what holds for everybody. A stranger \
            that `huddle peers` shows as there can be set to ask or block; to accept it takes that it was met, or its whole id.
            """,
        arguments: [peer],
        options: [set, allow] + AskingOptions.all,
        examples: [
            Example("huddle policy", "who may what"),
            Example("huddle policy Deck --set ask", "be asked each time"),
            Example("huddle policy Deck --allow messages,resources", "no streams, no saves"),
            Example("huddle policy --set block", "no unknown machine gets an answer"),
        ],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        guard let typed = given[peer] else { return try await everybody(given, console, signals) }
        var body = GameBody()
        body.fields.set("policy", given[set])
        body.fields.set("allow", given[allow].map(\.list))
        let question = ControlQuestion("PUT", ["v1", "peers", typed, "policy"], saying: body)
        return try await Daemon.show(question, given, console, signals)
    }

    private static func everybody(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals
    ) async throws -> ExitCode {
        guard given[allow] == nil else {
            throw CommandError(
                ErrorCode(.invalid, "command.peer-missing"),
                "permissions are given to one peer, not to everybody",
                nextStep: "name it: `huddle policy PEER --allow …`"
            )
        }
        if let word = given[set] {
            var body = GameBody()
            // Of everybody, that is to be asked about them.
            body.fields.set("policy", Policy(rawValue: word)?.rawValue ?? Policy.ask.rawValue)
            let question = ControlQuestion("PUT", ["v1", "policy"], saying: body)
            let code = try await Daemon.ask(given, console, signals) { daemon in
                try await daemon.perform(question)
                return .success
            }
            guard code == .success else { return code ?? .interrupted }
        }
        return try await Daemon.show(ControlQuestion("GET", ["v1", "policy"]), given, console, signals)
    }
}

extension ValueForm where Value == Permissions {
    /// Words with commas between.
    static var permissions: ValueForm {
        let words = Permissions.named.map(\.word)
        return ValueForm(placeholder: "LIST", like: words.joined(separator: ","), write: \.words) { text in
            if text == "all" { return .all }
            if text == "none" { return [] }
            var permissions: Permissions = []
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let known = Permissions.named.first(where: { $0.word == word }) else {
                    throw BadValue(
                        text,
                        isNot: "a list of permissions",
                        because: "“\(PrintableText(String(word), limit: 40))” is none",
                        nextStep: (word == "files" ? "files and folders are “resources”; " : "")
                            + "choose among \(words.joined(separator: ", ")), with commas between, or all, or none"
                    )
                }
                permissions.formUnion(known.permission)
            }
            return permissions
        }
    }
}
