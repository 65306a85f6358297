import Ledger
import Vocabulary

/// What a command can't do, beyond what the engine says.
struct CommandError: ExplainedError {
    let code: ErrorCode
    let message: String
    let nextStep: String

    init(_ code: ErrorCode, _ message: String, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
    }

    static func unknownPeer(_ typed: String) -> CommandError {
        CommandError(
            "command.unknown-peer",
            "nobody is known or seen here as “\(PrintableText(typed, limit: 80))”",
            nextStep: "`huddle peers` lists who is; a peer that is not seen can be given as host:port"
        )
    }

    static func ambiguousPeer(_ typed: String, _ ids: [PeerID]) -> CommandError {
        let list = ids.prefix(6).map(\.short).joined(separator: ", ")
        return CommandError(
            "command.ambiguous-peer",
            "“\(PrintableText(typed, limit: 80))” may be any of \(list)",
            nextStep: "give the id instead of the name, or as much of it as tells them apart"
        )
    }

    static let personNeeded = CommandError(
        "command.person-needed",
        "two machines that meet for the first time need a person who compares their codes",
        nextStep: "run it on a terminal, or give --yes where you trust the network between them"
    )

    static func nothingWaits(_ typed: String) -> CommandError {
        CommandError(
            "command.no-invitation",
            "no invitation from “\(PrintableText(typed, limit: 80))” waits here",
            nextStep: "start `huddle inbox` here, then have the other side run `huddle invite` again"
        )
    }

    static let alreadyPresent = CommandError(
        "command.already-present",
        "another huddle of yours takes what comes to this machine",
        nextStep: "end that `huddle inbox` or `huddle pipe --receive` first, or give this one its own --state"
    )
}
