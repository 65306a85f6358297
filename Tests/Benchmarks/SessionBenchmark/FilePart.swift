import Yardstick

/// 1 GiB, beside one raw connection that sends from memory to nowhere, and one that sends from a file into a file.
struct FilePart {
    private static let count = 1 << 30
    private static let rounds = 5

    private let bench: Bench
    private let folder: String

    /// What one contender came to, round by round.
    private struct Contender {
        private var times: [Double] = []
        private var work: [Double] = []
        private(set) var (peakHere, peakThere) = (0.0, 0.0)

        mutating func add(_ said: Bench.Said) {
            times.append(said["seconds"])
            work.append(said["cpu"])
            peakHere = max(peakHere, said["peak"])
            peakThere = max(peakThere, said["peak there"])
        }

        var description: String {
            "\(text(Figures(times).median)) s (\(Figures(times).range)), of processor \(text(Figures(work).median)) s"
        }

        func ratios(to other: Contender) -> String {
            let times = Figures(zip(other.times, times).map { $0 / $1 })
            let work = Figures(other.work).median / Figures(work).median
            return "\(text(times.median)) (\(times.range)), of processor \(text(work))"
        }
    }

    init(_ bench: Bench, in folder: String) {
        (self.bench, self.folder) = (bench, folder)
    }

    func run() async throws {
        let path = "\(folder)/large.bin"
        let isOnDisk = folder == Place.disk
        try Place.writeFile(path, count: Self.count)
        var (raw, stored, huddle) = (Contender(), Contender(), Contender())
        for _ in 0..<Self.rounds {
            raw.add(try await bench.raw(RawServer.pour, Self.count))
            stored.add(try await bench.raw(isOnDisk ? RawServer.storeOnDisk : RawServer.storeInMemory, Self.count))
            huddle.add(try await bench.huddle("resource", [path], into: folder))
            try bench.clear(folder)
        }
        try Place.remove(path)
        say("1 GiB file, \(isOnDisk ? "disk to disk" : "tmpfs to tmpfs"), medians of \(Self.rounds):")
        say("  huddle \(huddle.description)")
        say("  raw TLS from memory to nowhere \(raw.description); ratio \(huddle.ratios(to: raw))")
        say("  raw TLS from file to file, flushed \(stored.description); ratio \(huddle.ratios(to: stored))")
        let peaks = [huddle.peakHere, huddle.peakThere].map { text($0 / 1024, 1) }
        say("  peak memory: sender \(peaks[0]) MiB, receiver \(peaks[1]) MiB")
    }
}
