import Session
import Vocabulary

/// What a measurement tells, one line each: what was measured, how much, and beside it the most that could be on these machines.
extension SessionNews {
    /// What is measured from now on; it takes a second or two.
    static func measuring(_ kind: String) -> SessionNews { SessionNews("measuring", nil, nil) { $0.kind = kind } }

    private static func measured(
        _ kind: String,
        _ peer: PeerTag?,
        _ columns: [String],
        _ counts: [String: Int]
    ) -> SessionNews {
        let (title, value, rest) = (columns[0].padded(to: 11), columns[1].padded(to: 10), columns[2])
        return SessionNews("measured", peer, "\(title)  \(value)  \(rest)") { ($0.kind, $0.counts) = (kind, counts) }
    }

    static func measured(_ trips: Samples, knocks: Samples, _ peer: PeerTag) -> SessionNews {
        let (usual, worst) = (trips.percentile(50) ?? .zero, trips.percentile(99) ?? .zero)
        var counts = [
            "p50_microseconds": usual.wholeMicroseconds, "p99_microseconds": worst.wholeMicroseconds,
            "rounds": trips.count,
        ]
        var words = "one in a hundred \(milliseconds(worst))"
        if let network = knocks.percentile(50), network > .zero {
            counts["network_microseconds"] = network.wholeMicroseconds
            words += "; the network alone \(milliseconds(network)), so \(tenths(usual / network)) times that"
        }
        return measured("round-trip", peer, ["round trip", milliseconds(usual), words], counts)
    }

    static func measured(messages rate: Double, of bytes: Int, _ peer: PeerTag) -> SessionNews {
        let columns = ["messages", "\(grouped(Int(rate)))/s", "of \(bytes) bytes, all of them taken over there"]
        return measured("messages", peer, columns, ["per_second": Int(rate), "bytes": bytes])
    }

    /// - Parameters:
    ///   - encryption: what goes through a lane with both ends here
    ///   - line: what this machine's line is said to carry
    static func measured(stream rate: Double, encryption: Double, line: Double?, _ peer: PeerTag) -> SessionNews {
        let isLine = line.map { $0 < encryption } ?? false
        let limit = isLine ? line ?? encryption : encryption
        let limited =
            isLine ? "this machine's line (\(size(limit))/s)" : "what this processor encrypts (\(size(limit))/s)"
        var counts = [
            "bytes_per_second": Int(rate), "encryption_bytes_per_second": Int(encryption),
            "percent_of_limit": Int(rate / limit * 100),
        ]
        counts["line_bytes_per_second"] = line.map { Int($0) }
        return measured("stream", peer, ["stream", "\(size(rate))/s", "\(percent(rate, limit)) of \(limited)"], counts)
    }

    static func measured(encryption rate: Double, _ peer: PeerTag) -> SessionNews {
        let columns = ["encryption", "\(size(rate))/s", "with both ends on this machine, without a network"]
        return measured("encryption", nil, columns, ["bytes_per_second": Int(rate)])
    }

    static func measured(file: FileBench.Outcome?, _ peer: PeerTag) -> SessionNews {
        guard let file else {
            return measured("file", nil, ["file here", "–", "not tried: less than 2 GiB of the disk are free"], [:])
        }
        let words =
            "checked and flushed; \(percent(file.taken, file.plain)) of plain writing here (\(size(file.plain))/s)"
        let counts = [
            "bytes_per_second": Int(file.taken), "plain_bytes_per_second": Int(file.plain),
            "percent_of_limit": Int(file.taken / file.plain * 100), "bytes": Int(file.byteCount),
        ]
        return measured("file", nil, ["file here", "\(size(file.taken))/s", words], counts)
    }

    /// What it comes to for a person.
    static func slowest(stream: Double, file: Double, _ peer: PeerTag) -> SessionNews {
        let (rate, name) = stream <= file ? (stream, "the way to \(peer)") : (file, "the disk here")
        let seconds = Double(1 << 30) / rate
        let words = seconds < 10 ? "\(tenths(seconds)) s" : "\(Int(seconds.rounded())) s"
        return SessionNews("measured", peer, "a file of 1 GiB from \(peer) takes \(words) or more; slowest is \(name)")
        {
            ($0.kind, $0.counts) = ("sum", ["bytes_per_second": Int(rate)])
            $0.text = stream <= file ? "stream" : "file"
        }
    }

    static func streamsNotAllowed(_ peer: PeerTag, _ own: PeerID) -> SessionNews {
        let mend = "there: `huddle policy \(own.short) --allow all`"
        return SessionNews(
            "not-measured",
            peer,
            "stream       not measured: \(peer) takes no streams from this machine; \(mend)"
        ) {
            $0.kind = "stream"
            $0.blame(PassedOnError(SessionError(.notPermitted)))
        }
    }

    // MARK: Words

    private static func milliseconds(_ time: Duration) -> String {
        let microseconds = time.wholeMicroseconds
        switch microseconds {
        case ..<1000: return "\(microseconds) µs"
        case ..<100_000: return "\(tenths(Double(microseconds) / 1000)) ms"
        default: return "\(microseconds / 1000) ms"
        }
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func percent(_ part: Double, _ whole: Double) -> String { "\(Int(part / whole * 100)) %" }

    private static func size(_ bytes: Double) -> String { SizeText.of(UInt64(bytes)) }

    static func grouped(_ number: Int) -> String {
        let digits = String(number)
        return digits.enumerated().map { place, digit in
            place > 0 && (digits.count - place) % 3 == 0 ? ",\(digit)" : "\(digit)"
        }.joined()
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
            ErrorCode(.declined, "bench.not-let-in"),
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

    /// It may be blocked there, which looks the same.
    static func noAnswer(_ peer: PeerTag, _ own: PeerID) -> HouseholdError {
        HouseholdError(
            ErrorCode(.timedOut, "bench.no-answer"),
            "\(peer) did not answer",
            nextStep: "see there that huddled runs, and let this machine in: `huddle policy \(own.short) --set accept`"
        )
    }

    static func cannotBeMeasured(_ peer: PeerTag) -> HouseholdError {
        HouseholdError(
            ErrorCode(.incompatible, "bench.not-there"),
            "\(peer) let this machine in, but does not measure with it",
            nextStep: "bring huddle up to date there and have huddled run; it measures with two others at once at most"
        )
    }
}
