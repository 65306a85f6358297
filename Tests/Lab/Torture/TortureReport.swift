import SaveFolder

/// What came of a torture, to be read.
struct TortureReport: Sendable {
    let seed: UInt64
    var rounds = 0
    var faults: [String: Int] = [:]
    /// At which steps a program was ended.
    var points: [String: Int] = [:]
    var counts: [String: Int] = [:]
    /// What `huddle fsck` said on each host at the end.
    var checks: [String] = []
    var failure: String?
    private var parts: [String] = []

    init(seed: UInt64) { self.seed = seed }

    mutating func count(_ what: String, _ number: Int = 1) { counts[what, default: 0] += number }

    mutating func add(_ other: TortureReport, hosts: Int) {
        rounds += other.rounds
        faults.merge(other.faults, uniquingKeysWith: +)
        points.merge(other.points, uniquingKeysWith: +)
        counts.merge(other.counts, uniquingKeysWith: +)
        checks += other.checks
        failure = failure ?? other.failure
        parts.append("\(other.rounds) rounds with \(hosts) hosts")
    }

    var text: String {
        let lines: [String] =
            ["torture with seed \(seed): \(parts.joined(separator: ", "))"]
            + Self.table("faults", faults) + Self.table("ended at", points) + unreached
            + Self.table("seen", counts) + checks.map { "fsck on \($0)" }
            + [failure.map { "FAILED: \($0)" } ?? "no set torn, no version lost, all hosts agree"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The steps at which no program was ended.
    private var unreached: [String] {
        let reached = Set(points.keys.compactMap { $0.split(separator: " ").first.map(String.init) })
        let rest = ApplyPoint.allCases.map(\.rawValue).filter { !reached.contains($0) }
        return rest.isEmpty ? [] : ["not ended at: \(rest.joined(separator: ", "))"]
    }

    private static func table(_ title: String, _ counts: [String: Int]) -> [String] {
        ["\(title): " + counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")]
    }
}
