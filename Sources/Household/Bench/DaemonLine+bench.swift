import Session
import Vocabulary

/// The figures of a measurement, and beside each the most that is possible on these machines. `huddle` puts them into
/// words.
extension DaemonLine {
    /// The line before a measurement, which takes a second or two.
    static func measuring(_ kind: BenchKind) -> DaemonLine {
        DaemonLine(.measuring(MeasuringEvent(kind: kind)), nil)
    }

    private static func measured(
        _ kind: BenchKind,
        _ peer: PeerTag?,
        _ counts: [String: Int],
        slowest: BenchKind? = nil
    ) -> DaemonLine {
        DaemonLine(.measured(MeasuredEvent(kind: kind, machine: peer, counts: counts, slowest: slowest)), nil)
    }

    static func measured(_ trips: Samples, probes: Samples, _ peer: PeerTag) -> DaemonLine {
        let (usual, worst) = (trips.percentile(50) ?? .zero, trips.percentile(99) ?? .zero)
        var counts = [
            "p50_microseconds": usual.wholeMicroseconds, "p99_microseconds": worst.wholeMicroseconds,
            "rounds": trips.count,
        ]
        if let network = probes.percentile(50), network > .zero {
            counts["network_microseconds"] = network.wholeMicroseconds
        }
        return measured(.roundTrip, peer, counts)
    }

    static func measured(messages rate: Double, of bytes: Int, _ peer: PeerTag) -> DaemonLine {
        measured(.messages, peer, ["per_second": Int(rate), "bytes": bytes])
    }

    /// - Parameters:
    ///   - encryption: speed of a secure channel with both ends on this machine
    ///   - line: nominal speed of this machine's network line
    static func measured(stream rate: Double, encryption: Double, line: Double?, _ peer: PeerTag) -> DaemonLine {
        let limit = min(encryption, line ?? encryption)
        var counts = [
            "bytes_per_second": Int(rate), "encryption_bytes_per_second": Int(encryption),
            "percent_of_limit": Int(rate / limit * 100),
        ]
        counts["line_bytes_per_second"] = line.map { Int($0) }
        return measured(.stream, peer, counts)
    }

    static func measured(encryption rate: Double) -> DaemonLine {
        measured(.encryption, nil, ["bytes_per_second": Int(rate)])
    }

    /// - Parameter file: nil if there was no room for one
    static func measured(file: FileBench.Outcome?) -> DaemonLine {
        guard let file else { return measured(.file, nil, [:]) }
        let counts = [
            "bytes_per_second": Int(file.taken), "plain_bytes_per_second": Int(file.plain),
            "percent_of_limit": Int(file.taken / file.plain * 100), "bytes": Int(file.byteCount),
        ]
        return measured(.file, nil, counts)
    }

    /// The slower of both speeds, which decides the time for a file.
    static func slowest(stream: Double, file: Double, _ peer: PeerTag) -> DaemonLine {
        measured(
            .sum,
            peer,
            ["bytes_per_second": Int(min(stream, file))],
            slowest: stream <= file ? .stream : .file
        )
    }

    static func streamsNotAllowed(_ peer: PeerTag, _ own: PeerID) -> DaemonLine {
        let error = SessionError(.notPermitted).worded(
            "\(peer) takes no streams from this machine",
            nextStep: "there: `huddle policy \(own.short) --allow all`"
        )
        let event = NotMeasuredEvent(kind: .stream, machine: peer, problem: PassedOnError(error))
        return DaemonLine(.notMeasured(event), nil)
    }
}

extension HouseholdError {
    static func notMet(_ peer: PeerTag) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "command.unknown-peer"),
            "\(peer) has not been let in yet",
            nextStep: "`huddle invite \(peer.id.short)` gets to know it"
        )
    }

    static func mayNotAnswer(_ peer: PeerTag, _ permissions: Permissions) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notPermitted, "bench.no-answers"),
            "\(peer) may send no messages to this machine, so it can't answer",
            nextStep: "`huddle policy \(peer.id.short) --allow \(permissions.words)`, then try it again"
        )
    }

    static func notWelcome(_ peer: PeerTag, _ own: PeerID) -> HouseholdError {
        HouseholdError(
            ErrorCode(.declined, "bench.not-admitted"),
            "\(peer) does not let this machine in without a question",
            nextStep: "there: `huddle policy \(own.short) --set accept`, and huddled or `huddle inbox` has to run"
        )
    }

    static func messagesNotAllowed(_ peer: PeerTag, _ own: PeerID) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notPermitted, "bench.not-permitted"),
            "\(peer) takes no messages from this machine",
            nextStep: "there: `huddle policy \(own.short) --allow all`, or a list that has messages in it"
        )
    }

    /// The error for a peer that does not answer. This machine may be blocked there, which looks the same.
    static func noAnswer(_ peer: PeerTag, _ own: PeerID) -> HouseholdError {
        HouseholdError(
            ErrorCode(.timedOut, "bench.no-answer"),
            "\(peer) did not answer",
            nextStep: "see there that huddled runs, and let this machine in: `huddle policy \(own.short) --set accept`"
        )
    }

    static func cannotBeMeasured(_ peer: PeerTag) -> HouseholdError {
        HouseholdError(
            ErrorCode(.incompatible, "bench.unsupported"),
            "\(peer) let this machine in, but does not measure with it",
            nextStep: "update huddle there, and start huddled; it measures with at most two machines at once"
        )
    }
}
