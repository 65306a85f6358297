import LabKit
import LinuxPlatform
import Yardstick

/// One small file changes among many, with 1,000 and with 100,000 files.
struct OnePart {
    private static let (counts, rounds) = ([1_000, 100_000], 5)
    let pair: Pair

    init(_ pair: Pair) { self.pair = pair }

    func run() async throws {
        var medians: [Double] = []
        for files in Self.counts {
            let name = "one-\(files)"
            let path = "\(pair.near.folder)/\(name)"
            try Place.make(path)
            try Place.fill(path, files: files, count: 100, seed: 77)
            let set = try await pair.share(name)
            var (times, phases) = ([Double](), Phases())
            for round in 1...Self.rounds {
                let changed = "\(round)/\(round * 100 + round).dat"
                let before = await pair.far.counts.applied
                // No game has this content yet: a machine looks longer for a piece that another game has.
                let seed = UInt64(10 * files + round)
                try Place.write("\(set.here)/\(changed)", seed: seed, count: 100, truncating: true)
                let start = ContinuousClock.now
                try await pair.far.untilApplied(beyond: before)
                times.append(seconds(.now - start) - DaemonHost.settle)
                await phases.note(pair, since: start)
                let bytes = Place.bytes("\(set.here)/\(changed)", count: 100)
                guard bytes != nil, bytes == Place.bytes("\(set.there)/\(changed)", count: 100) else {
                    throw Unexpected("round \(round): what is there is not what is here")
                }
            }
            medians.append(Figures(times).median)
            say(
                "one file of \(files) changes, closed → whole on the other host, beyond settling: median "
                    + "\(text(Figures(times).median)) s (goal 0.6), \(Figures(times).range) s (\(phases.text))"
            )
        }
        say("  with \(Self.counts[1]) files : with \(Self.counts[0]) = \(text(medians[1] / medians[0], 1)) (flat: 1)")
    }
}
