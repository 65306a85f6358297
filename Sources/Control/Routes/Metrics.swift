import Discovery
import Household
import Ledger
import LinuxPlatform
import Session

/// Metrics of the household.
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
        let new = try await ledger.inbox.numbers(isNewOnly: true).count
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
            Metric(.gauge, "huddle_inbox_new", "inbox entries that are not marked as seen", new),
            Metric(.gauge, "huddle_followers", "programs that follow events", household.events.readerCount),
        ]
    }

    private static func links(_ tally: NodeTally) -> [Metric] {
        [
            Metric(.gauge, "huddle_links", "peers that are connected now", tally.links),
            Metric(.gauge, "huddle_sessions", "open sessions", tally.sessions),
            Metric(.counter, "huddle_links_accepted_total", "links that peers opened", tally.linksAccepted),
            Metric(.counter, "huddle_links_dialled_total", "links that this machine opened", tally.linksDialled),
            Metric(
                .counter,
                "huddle_arrivals_refused_total",
                "connections refused by a limit: too many at once, or from one address",
                tally.arrivalsRefused
            ),
            Metric(
                .counter,
                "huddle_handshakes_failed_total",
                "incoming connections that failed: no peer, another version, or closed too early",
                tally.greetingsFailed
            ),
        ]
    }

    private static func traffic(_ tally: NodeTally) -> [Metric] {
        let kinds = [("control", tally.control), ("streams", tally.streams), ("resources", tally.resources)]
        return [
            Metric(
                .gauge,
                "huddle_channels",
                "open connections by purpose",
                by: "kind",
                kinds.map { ($0.0, UInt64(clamping: $0.1.channels)) }
            ),
            Metric(
                .counter,
                "huddle_received_bytes_total",
                "bytes received, without TLS overhead; messages count as control",
                by: "kind",
                kinds.map { ($0.0, $0.1.received) }
            ),
            Metric(
                .counter,
                "huddle_sent_bytes_total",
                "bytes sent, without TLS overhead; messages count as control",
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
                "running transfers of files and folders",
                by: "direction",
                ways.map { ($0.0, UInt64(clamping: $0.1.running)) }
            ),
            Metric(
                .counter,
                "huddle_transfers_done_total",
                "completed transfers of files and folders",
                by: "direction",
                ways.map { ($0.0, UInt64(clamping: $0.1.done)) }
            ),
            Metric(
                .counter,
                "huddle_transfers_failed_total",
                "refused, cancelled or failed transfers of files and folders",
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
        return [Metric(.gauge, "huddle_uptime_seconds", "seconds since its start", up)] + (memory.map { [$0] } ?? [])
    }

    /// The metrics without labels, by their names without the common prefix.
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

    /// The number of games in each state that occurs, by the word of the state.
    var games: [String: Int] {
        let games = metrics.first { $0.name == "huddle_games" }?.samples ?? []
        let counts = games.map { ($0.word, Int(clamping: $0.value)) }.filter { $0.1 > 0 }
        return Dictionary(counts) { first, _ in first }
    }

    /// The metrics in the text format of Prometheus.
    var text: String { metrics.map(\.text).joined() }
}
