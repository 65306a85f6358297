import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle policy`: how machines connect, and their rights.
enum PolicyCommand {
    static let peer = Argument(optional: "PEER", .text.named("PEER"), help: "the machine (default: the general policy)")
    static let set = Option(
        "set",
        .oneOf(Policy.allCases.map(\.rawValue) + ["default"]),
        help: "the policy; without PEER, that of machines without one of their own"
    )
    static let allow = Option(
        "allow",
        .permissions,
        help: "the rights of a connected machine: messages, streams, resources, saves, all or none, separated by commas"
    )

    static let row = Command<CommandAction>(
        "policy",
        summary: "show or change what other machines may do",
        discussion: """
            With accept a paired machine connects without a question; a stranger needs a code all the same. With ask \
            each invitation is a question. With block a machine gets no answer. With default the general policy \
            counts. You can set a stranger to ask or block as `huddle peers` shows it; accept needs a paired machine \
            or a whole id.
            """,
        arguments: [peer],
        options: [set, allow] + AskingOptions.all,
        examples: [
            Example("huddle policy", "all policies and rights"),
            Example("huddle policy Deck --set ask", "ask each time"),
            Example("huddle policy Deck --allow messages,resources", "no streams, no saves"),
            Example("huddle policy --set block", "no unknown machine gets an answer"),
        ],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        guard let typed = given[peer] else { return try await general(given, console, signals) }
        var body = GameBody()
        body.fields.set("policy", given[set])
        body.fields.set("allow", given[allow].map(\.list))
        let request = Endpoint.setPolicy.request(typed, saying: body)
        return try await Daemon.show(request, given, console, signals)
    }

    private static func general(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals
    ) async throws -> ExitCode {
        guard given[allow] == nil else {
            throw CommandError(
                ErrorCode(.invalid, "command.peer-missing"),
                "rights belong to one machine: --allow needs its name",
                nextStep: "name the machine: `huddle policy PEER --allow …`"
            )
        }
        if let word = given[set] {
            var body = GameBody()
            // The default of the general policy itself is `ask`.
            body.fields.set("policy", Policy(rawValue: word)?.rawValue ?? Policy.ask.rawValue)
            let request = Endpoint.setDefaultPolicy.request(saying: body)
            let code = try await Daemon.ask(given, console, signals) { daemon in
                try await daemon.perform(request)
                return .success
            }
            guard code == .success else { return code ?? .interrupted }
        }
        return try await Daemon.show(Endpoint.policies.request(), given, console, signals)
    }
}

extension ValueForm where Value == Permissions {
    /// The form of a list of rights, separated by commas.
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
                        isNot: "a list of rights",
                        because: "“\(PrintableText(String(word), limit: 40))” is not a right",
                        nextStep: (word == "files" ? "files and folders are “resources”; " : "")
                            + "choose from \(words.joined(separator: ", ")), separated by commas, or all, or none"
                    )
                }
                permissions.formUnion(known.permission)
            }
            return permissions
        }
    }
}
