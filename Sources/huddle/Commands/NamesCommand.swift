import CommandTable
import Control
import Glibc
import Household
import Ledger
import LinuxPlatform
import Session
import Transport
import Vocabulary

/// `huddle names`: what can be typed where a machine, a save set or a version is wanted. Shells complete it.
enum NamesCommand {
    enum Kind: String, CaseIterable, Sendable {
        case machines, sets, versions, sides
    }

    static let kind = Argument("KIND", .choice as ValueForm<Kind>, help: "of what")

    /// By the placeholders of arguments and options.
    static let kinds: [String: String] = [
        "PEER": Kind.machines.rawValue, "SET": Kind.sets.rawValue, "SET@VERSION": Kind.versions.rawValue,
        "SIDE": Kind.sides.rawValue,
    ]

    static let row = Command<CommandAction>(
        "names",
        summary: "list the names of machines, save sets or versions, one a line",
        discussion:
            "For completions and scripts. Machines and save sets it knows by itself; the versions it asks the daemon for.",
        arguments: [kind],
        options: [NodeOptions.state],
        examples: [Example("huddle names machines", "all that this one knows")],
        exitCodes: [.success, .failure, .usage],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        for name in try await names(given) { try await console.print(name) }
        return .success
    }

    private static func names(_ given: GivenValues) async throws -> [String] {
        // Where nothing is remembered yet, a press of Tab makes no key and no ledger.
        if given[kind] == .sides { return ["mine", "theirs", "merge"] }
        guard access("\(StateFolder.path(given))/\(Identity.fileName)", F_OK) == 0 else { return [] }
        let ledger = try await StateFolder.ledger(given)
        switch given[kind] {
        case .machines:
            let known = try await ledger.peers().values.map { ($0.id, $0.name) }
            let waiting = try await ledger.waitingInvitations().values.map { ($0.peer, $0.name) }
            return Set((known + waiting).map(typed)).sorted()
        case .sets: return try await ledger.saveSets().values.map { "\($0.name)" }.sorted()
        case .versions:
            guard let daemon = Counterpart.daemon(given) else { return [] }
            return try await versions(of: try await ledger.saveSets().values.map { "\($0.name)" }.sorted(), at: daemon)
        case .sides: return []
        }
    }

    /// What would be shown with escapes is typed as the beginning of an id instead.
    private static func typed(_ id: PeerID, _ name: InstanceName?) -> String {
        guard let name, name.description == name.text else { return id.short }
        return name.text
    }

    @Engine
    private static func versions(of sets: [String], at daemon: ControlConnection) async throws -> [String] {
        var found: [String] = []
        for set in sets {
            let lines = try await daemon.news(ControlQuestion("GET", ["v1", "saves", set, "versions"]))
            while let news = try await lines.next() {
                if let number = news.number { found.append("\(set)@\(number)") }
            }
        }
        return found
    }
}
