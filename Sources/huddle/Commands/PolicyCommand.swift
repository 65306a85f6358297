import CommandTable
import Household
import Ledger
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
        options: [set, allow] + NodeOptions.keeping,
        examples: [
            Example("huddle policy", "who may what"),
            Example("huddle policy Deck --set ask", "be asked each time"),
            Example("huddle policy Deck --allow messages,resources", "no streams, no saves"),
            Example("huddle policy --set block", "nobody new gets an answer"),
        ],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let ledger = try await StateFolder.ledger(given)
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        guard let typed = given[peer] else { return try await everybody(given, ledger, report) }
        guard let meant = try await Counterpart.meant(typed, in: ledger, given, console, signals) else {
            return .interrupted
        }
        if given[set] == "default" || given[set] == Policy.ask.rawValue { try meant.mayBeReset() }
        if given[set] == Policy.accept.rawValue || given[allow] != nil { try meant.mayBeGivenRights() }
        let peer = meant.tag
        if let word = given[set] {
            try await ledger.setPolicy(Policy(rawValue: word), for: peer.id, name: peer.name)
            try await ledger.note("policy-set", about: peer.id, [.init("policy", word)])
        }
        if let permissions = given[allow] {
            try await ledger.setPermissions(permissions, for: peer.id)
            try await ledger.note("permissions-set", about: peer.id, [.init("allow", permissions.words)])
        }
        guard let known = try await ledger.peer(peer.id) else { throw HouseholdError.neverMet(typed) }
        try await report.tell(.policy(known, try await ledger.defaultPolicy()))
        return .success
    }

    private static func everybody(
        _ given: GivenValues,
        _ ledger: Ledger,
        _ report: SessionReport
    ) async throws -> ExitCode {
        guard given[allow] == nil else {
            throw CommandError(
                "command.peer-missing",
                "permissions are given to one peer, not to everybody",
                nextStep: "name it: `huddle policy PEER --allow …`"
            )
        }
        if let word = given[set] {
            try await ledger.setDefaultPolicy(Policy(rawValue: word) ?? .ask)
            try await ledger.note("policy-set", [.init("policy", word)])
        }
        let policy = try await ledger.defaultPolicy()
        for known in try await ledger.peers().values { try await report.tell(.policy(known, policy)) }
        try await report.tell(.defaultPolicy(policy))
        return .success
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
