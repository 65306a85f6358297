import Discovery
import Household
import Ledger
import LinuxPlatform
import Session

/// How the household is, in numbers.
@Engine
struct Metrics {
    static let type = "text/plain; version=0.0.4; charset=utf-8"
    private static let prefix = "huddle_"

    private let metrics: [Metric]

    init(of household: Household) async throws {
        let tally = household.node.tally
        metrics =
            try await Self.people(of: household) + Self.links(tally) + Self.traffic(tally) + Self.transfers(tally)
            + household.counted() + Self.program(household)
    }

    private static func people(of household: Household) async throws -> [Metric] {
        let (node, ledger) = (household.node, household.node.ledger)
        let found = await node.foundPeers().filter { $0.peer.state == .present && $0.id != nil && $0.id != node.id }
        let known = try await ledger.peers().values.count(where: \.isPinned)
        let new = try await ledger.inboxNumbers(isNewOnly: true).count
        return [
            Metric(.gauge, "huddle_peers_known", "peers whose key was confirmed by a code", known),
            Metric(.gauge, "huddle_peers_present", "peers that are seen now", Set(found.compactMap(\.id)).count),
            Metric(
                .gauge,
                "huddle_invitations_waiting",
                "peers that wait to be let in",
                household.waitingInvitations.count
            ),
            Metric(
                .gauge,
                "huddle_questions_closed",
                "1 while peers that are new have asked too often, so that only those at other addresses are shown",
                node.strangersClosing == nil ? 0 : 1
            ),
            Metric(.gauge, "huddle_inbox_new", "things that arrived and that nobody has looked at", new),
            Metric(.gauge, "huddle_followers", "programs that follow what happens", household.news.readerCount),
        ]
    }

    private static func links(_ tally: NodeTally) -> [Metric] {
        [
            Metric(.gauge, "huddle_links", "peers that are connected now", tally.links),
            Metric(.gauge, "huddle_sessions", "sessions that go on now", tally.sessions),
            Metric(.counter, "huddle_links_accepted_total", "links of peers that came in", tally.linksAccepted),
            Metric(.counter, "huddle_links_dialled_total", "links to peers made from here", tally.linksDialled),
            Metric(
                .counter,
                "huddle_arrivals_refused_total",
                "connections turned away at the door: too many at once, or from one place",
                tally.arrivalsRefused
            ),
            Metric(
                .counter,
                "huddle_handshakes_failed_total",
                "connections that came in and were no peer's, of another version, or gone too soon",
                tally.greetingsFailed
            ),
        ]
    }

    private static func traffic(_ tally: NodeTally) -> [Metric] {
        let kinds = [("control", tally.control), ("streams", tally.streams), ("resources", tally.resources)]
        return [
            Metric(
                .gauge,
                "huddle_lanes",
                "connections that are open now, by what they are for",
                by: "kind",
                kinds.map { ($0.0, UInt64(clamping: $0.1.lanes)) }
            ),
            Metric(
                .counter,
                "huddle_received_bytes_total",
                "bytes that came, without what TLS adds; messages are among control",
                by: "kind",
                kinds.map { ($0.0, $0.1.received) }
            ),
            Metric(
                .counter,
                "huddle_sent_bytes_total",
                "bytes that went, without what TLS adds; messages are among control",
                by: "kind",
                kinds.map { ($0.0, $0.1.sent) }
            ),
        ]
    }

    private static func transfers(_ tally: NodeTally) -> [Metric] {
        let ways = [("out", tally.sending), ("in", tally.receiving)]
        return [
            Metric(
                .gauge,
                "huddle_transfers_running",
                "files and folders under way now",
                by: "direction",
                ways.map { ($0.0, UInt64(clamping: $0.1.running)) }
            ),
            Metric(
                .counter,
                "huddle_transfers_done_total",
                "files and folders that arrived whole",
                by: "direction",
                ways.map { ($0.0, UInt64(clamping: $0.1.done)) }
            ),
            Metric(
                .counter,
                "huddle_transfers_failed_total",
                "files and folders that were refused, cancelled or could not be",
                by: "direction",
                ways.map { ($0.0, UInt64(clamping: $0.1.failed)) }
            ),
        ]
    }

    private static func program(_ household: Household) -> [Metric] {
        let up = (ContinuousClock.now - household.since).components.seconds
        let memory = ResidentMemory.byteCount.map {
            Metric(.gauge, "process_resident_memory_bytes", "memory of the program", $0)
        }
        return [Metric(.gauge, "huddle_uptime_seconds", "how long it has been there", up)] + (memory.map { [$0] } ?? [])
    }

    /// Those that stand alone, by name without what all have before it.
    var counts: [String: Int] {
        var counts: [String: Int] = [:]
        for metric in metrics where metric.name.hasPrefix(Self.prefix) {
            if let value = metric.onlyValue {
                counts[String(metric.name.dropFirst(Self.prefix.count))] = Int(clamping: value)
            }
        }
        counts.merge(games) { first, _ in first }
        return counts
    }

    /// How many games are in each state that occurs, by the state's word.
    var games: [String: Int] {
        let games = metrics.first { $0.name == "huddle_games" }?.samples ?? []
        let counts = games.map { ($0.word, Int(clamping: $0.value)) }.filter { $0.1 > 0 }
        return Dictionary(counts) { first, _ in first }
    }

    /// As Prometheus reads them.
    var text: String { metrics.map(\.text).joined() }
}
