import Household
import Vocabulary

/// The line that `huddle bench` prints for one measurement: its title, its value, and the limit of these machines.
enum BenchLine {
    /// - Returns: nil if the event is no measurement
    static func text(of reported: DaemonLine) -> String? {
        switch reported.event {
        case .measured(let event): measured(event)
        case .notMeasured(let event):
            line("stream", nil, "not measured: \(reason(event.problem))")
        default: nil
        }
    }

    private static func reason(_ problem: PassedOnError) -> String {
        [problem.message, problem.nextStep].compactMap(\.self).joined(separator: "; ")
    }

    private static func measured(_ event: MeasuredEvent) -> String? {
        let counts = event.counts
        let rate = counts["bytes_per_second"].map { "\(size($0))/s" }
        let share = "\(counts["percent_of_limit"] ?? 0) %"
        switch event.kind {
        case .roundTrip: return roundTrip(counts)
        case .messages:
            let words = "of \(counts["bytes"] ?? 0) bytes, all of them received"
            return line("messages", "\(NumberText.grouped(counts["per_second"] ?? 0))/s", words)
        case .stream:
            let encryption = counts["encryption_bytes_per_second"] ?? 0
            let limit =
                counts["line_bytes_per_second"].flatMap {
                    $0 < encryption ? "this machine's line (\(size($0))/s)" : nil
                }
                ?? "what this processor encrypts (\(size(encryption))/s)"
            return line("stream", rate, "\(share) of \(limit)")
        case .encryption: return line("encryption", rate, "with both ends on this machine, without a network")
        case .file:
            guard let plain = counts["plain_bytes_per_second"] else {
                return line("file here", "–", "not measured: the disk has less than 2 GiB free")
            }
            return line("file here", rate, "checked and flushed; \(share) of plain writing here (\(size(plain))/s)")
        case .sum: return sum(event, counts["bytes_per_second"] ?? 0)
        }
    }

    private static func roundTrip(_ counts: [String: Int]) -> String {
        let usual = counts["p50_microseconds"] ?? 0
        var words = "one in a hundred \(milliseconds(counts["p99_microseconds"] ?? 0))"
        if let network = counts["network_microseconds"], network > 0 {
            let times = tenths(Double(usual) / Double(network))
            words += "; the network alone \(milliseconds(network)), so \(times) times that"
        }
        return line("round trip", milliseconds(usual), words)
    }

    /// Returns the least time that a file of 1 GiB takes, and the slowest part. nil without a rate or a machine.
    private static func sum(_ event: MeasuredEvent, _ rate: Int) -> String? {
        guard rate > 0, let peer = event.machine else { return nil }
        let seconds = Double(1 << 30) / Double(rate)
        let words = seconds < 10 ? "\(tenths(seconds)) s" : "\(Int(seconds.rounded())) s"
        let slowest = event.slowest == .stream ? "the way to \(peer)" : "the disk here"
        return "a file of 1 GiB from \(peer) takes \(words) or more; slowest is \(slowest)"
    }

    private static func line(_ title: String, _ value: String?, _ words: String) -> String {
        let start = "\(title.padded(to: 11))  "
        return value.map { "\(start)\($0.padded(to: 10))  \(words)" } ?? start + words
    }

    private static func milliseconds(_ microseconds: Int) -> String {
        switch microseconds {
        case ..<1000: "\(microseconds) µs"
        case ..<100_000: "\(tenths(Double(microseconds) / 1000)) ms"
        default: "\(microseconds / 1000) ms"
        }
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func size(_ bytes: Int) -> String { SizeText.of(UInt64(max(0, bytes))) }
}
