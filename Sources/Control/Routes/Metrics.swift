import Discovery
import Household
import Ledger
import Session

/// How the household is, in numbers.
@Engine
struct Metrics {
    static let type = "text/plain; version=0.0.4; charset=utf-8"

    private static let meanings: KeyValuePairs = [
        "peers_known": "peers whose key was confirmed by a code",
        "peers_present": "peers that are seen now",
        "invitations_waiting": "peers that wait to be let in",
        "inbox_new": "things that arrived and that nobody has looked at",
        "followers": "programs that follow what happens",
    ]

    /// By name.
    let counts: [String: Int]

    init(of household: Household) async throws {
        let (node, ledger) = (household.node, household.node.ledger)
        let found = await node.foundPeers().filter { $0.peer.state == .present && $0.id != nil && $0.id != node.id }
        counts = [
            "peers_known": try await ledger.peers().values.count(where: \.isPinned),
            "peers_present": Set(found.compactMap(\.id)).count,
            "invitations_waiting": household.waitingInvitations.count,
            "inbox_new": try await ledger.inbox().values.count { !$0.isLookedAt },
            "followers": household.news.readerCount,
        ]
    }

    /// As Prometheus reads them.
    var text: String {
        Self.meanings.map { name, meaning in
            """
            # HELP huddle_\(name) \(meaning)
            # TYPE huddle_\(name) gauge
            huddle_\(name) \(counts[name] ?? 0)

            """
        }.joined()
    }
}
