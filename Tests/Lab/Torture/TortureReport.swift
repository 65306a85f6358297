import SaveFolder

/// The report of a run.
struct TortureReport: Sendable {
    let seed: UInt64
    var rounds = 0
    var faults: [String: Int] = [:]
    /// The failpoints at which a program was killed.
    var points: [String: Int] = [:]
    var counts: [String: Int] = [:]
    var greatest: [String: Int] = [:]
    /// The output of `huddle fsck` on each host at the end.
    var checks: [String] = []
    var failure: String?
    /// The number of versions of each kind that daemons have reported.
    var promises: [TortureGame.Kind: Int] = [:]
    /// The number of rounds that reach every failpoint several times.
    private static let roundsToReachAll = 300
    private var parts: [String] = []

    init(seed: UInt64) { self.seed = seed }

    /// Notes a maximum.
    mutating func raise(_ what: String, to number: Int) { greatest[what] = max(greatest[what] ?? 0, number) }

    mutating func count(_ what: String, _ number: Int = 1) { counts[what, default: 0] += number }

    mutating func add(_ other: TortureReport, hosts: Int) {
        rounds += other.rounds
        faults.merge(other.faults, uniquingKeysWith: +)
        points.merge(other.points, uniquingKeysWith: +)
        counts.merge(other.counts, uniquingKeysWith: +)
        promises.merge(other.promises, uniquingKeysWith: +)
        for (what, number) in other.greatest { greatest[what] = max(greatest[what] ?? 0, number) }
        checks += other.checks
        failure = failure ?? other.failure
        parts.append("\(other.rounds) rounds with \(hosts) hosts")
    }

    /// Notes the fault of a run without any readable report of a daemon, in which nothing was checked.
    mutating func requirePromises() {
        let silent = TortureGame.Kind.allCases.filter { promises[$0] ?? 0 == 0 }
        guard failure == nil, !silent.isEmpty else { return }
        let names = silent.map(\.rawValue).joined(separator: ", ")
        failure = "no daemon was heard to say “a new version” of \(names): are these still its words?"
    }

    /// Notes the fault of a run without a kill at some failpoint, which therefore was not tested. A power cut may lose
    /// the evidence, so it does not count as a kill of the program.
    mutating func requireAllSteps() {
        guard failure == nil, rounds >= Self.roundsToReachAll, !unreached.isEmpty else { return }
        failure = "in \(rounds) rounds nothing was killed at \(unreached.joined(separator: ", "))"
    }

    var text: String {
        let lines: [String] =
            ["torture with seed \(seed): \(parts.joined(separator: ", "))"]
            + Self.table("faults", faults) + Self.table("ended at", points)
            + (unreached.isEmpty ? [] : ["not killed at: \(unreached.joined(separator: ", "))"])
            + Self.table("seen", counts) + Self.table("at most", greatest) + checks.map { "fsck on \($0)" }
            + [failure.map { "FAILED: \($0)" } ?? "no set torn, no version lost, all hosts agree"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The failpoints without a kill. Those of undoing a change need a second kill.
    private var unreached: [String] {
        ApplyPoint.allCases.filter { point in
            let needsRepair = point.isOfTakingBack && points["\(point) (again)"] != nil
            return points["\(point)"] == nil && !needsRepair
        }.map(\.rawValue)
    }

    private static func table(_ title: String, _ counts: [String: Int]) -> [String] {
        ["\(title): " + counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")]
    }
}
