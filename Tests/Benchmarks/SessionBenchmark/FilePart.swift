import LabKit
import LinuxPlatform
import Yardstick

/// 1 GiB, beside one raw connection from memory that discards the data, and one from a file into a file.
struct FilePart {
    private static let count = 1 << 30

    private let bench: Bench
    private let folder: String
    private let rounds: Int

    /// The results of one contender, round by round.
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

    init(_ bench: Bench, in folder: String, rounds: Int = 5) {
        (self.bench, self.folder, self.rounds) = (bench, folder, rounds)
    }

    /// - Parameter line: the description of the cable if its rate is limited
    func run(over line: String = "") async throws {
        let path = "\(folder)/large.bin"
        let isOnDisk = folder == Place.disk
        try Place.writeFile(path, count: Self.count)
        var (raw, stored, huddle) = (Contender(), Contender(), Contender())
        for _ in 0..<rounds {
            raw.add(try await bench.raw(RawServer.pour, Self.count))
            stored.add(try await bench.raw(isOnDisk ? RawServer.storeOnDisk : RawServer.storeInMemory, Self.count))
            huddle.add(try await bench.huddle("resource", [path], into: folder))
            try bench.clear(folder)
        }
        try Place.remove(path)
        say("1 GiB file, \(isOnDisk ? "disk to disk" : "tmpfs to tmpfs")\(line), medians of \(rounds):")
        say("  huddle \(huddle.description)")
        say("  raw TLS from memory to nowhere \(raw.description); ratio \(huddle.ratios(to: raw))")
        say("  raw TLS from file to file, flushed \(stored.description); ratio \(huddle.ratios(to: stored))")
        let peaks = [huddle.peakHere, huddle.peakThere].map { text($0 / 1024, 1) }
        say("  peak memory: sender \(peaks[0]) MiB, receiver \(peaks[1]) MiB")
    }

    /// Measures the same over cables with usual rates, which the kernel's own shaper limits.
    func runOverLines() async throws {
        for gigabits in ["1", "2.5"] {
            guard try await bench.shape(to: "\(gigabits)gbit") else {
                return say("this kernel has no shaper (sch_tbf): lines of 1 and 2.5 Gbit/s are left out")
            }
            try await run(over: ", over \(gigabits) Gbit/s")
            try await bench.unshape()
        }
    }
}

extension Bench {
    private static let cable = "eth0"

    /// Limits both hosts to a rate. Returns false if that is impossible here.
    fileprivate func shape(to rate: String) async throws -> Bool {
        for number in 1...2 {
            // A burst of the longest segment that the kernel sends at once, and a queue like that of a good switch.
            let words = ["tc", "qdisc", "replace", "dev", Self.cable, "root", "tbf", "rate", rate, "burst", "256kb"]
            let result = try await lab[number].run(words + ["latency", "20ms"])
            guard result.status.isSuccess else { return false }
        }
        return true
    }

    fileprivate func unshape() async throws {
        for number in 1...2 { _ = try await lab[number].run(["tc", "qdisc", "del", "dev", Self.cable, "root"]) }
    }
}
