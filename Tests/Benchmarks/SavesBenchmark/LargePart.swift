import Glibc
import LabKit
import LinuxPlatform
import Yardstick

/// 1 MiB changes in a file of 1 GiB.
struct LargePart {
    private static let (size, change, rounds) = (1 << 30, 1 << 20, 5)
    let pair: Pair

    init(_ pair: Pair) { self.pair = pair }

    func run() async throws {
        let path = "\(pair.near.folder)/large"
        try Place.make(path)
        try Place.write("\(path)/world", seed: 1, count: Self.size, truncating: true)
        var start = ContinuousClock.now
        let set = try await pair.share("large")
        say("a file of 1 GiB, added here, offered, joined and whole there: \(text(seconds(.now - start))) s")
        var (times, wire, reading, phases) = ([Double](), [Double](), [Double](), Phases())
        for round in 1...Self.rounds {
            let (applied, before) = (await pair.far.counts.applied, try await pair.near.onTheWire())
            try change(set.here, round)
            start = .now
            try await pair.far.untilApplied(beyond: applied)
            times.append(seconds(.now - start) - DaemonHost.settle)
            await phases.note(pair, since: start)
            wire.append(Double(try await pair.near.onTheWire() - before))
            let place = Self.place(round)
            let here = Place.bytes("\(set.here)/world", at: place, count: Self.change)
            guard here == Place.bytes("\(set.there)/world", at: place, count: Self.change) else {
                throw Unexpected("round \(round): the change is not there")
            }
            reading.append(try read("\(set.here)/world"))
        }
        let median = Figures(times).median
        say(
            "1 MiB changed in it, closed → whole there, beyond settling: median \(text(median)) s (goal 1.5), "
                + "\(Figures(times).range) s; on the wire, both directions, "
                + "\(text(Figures(wire).median / Double(Self.change))) MiB; to read the file alone "
                + "\(text(Figures(reading).median)) s, ratio \(text(median / Figures(reading).median)); \(phases.text)"
        )
        let syncthings = try await syncthing()
        if !Rival.isMissing("Syncthing", syncthings) {
            say("  Syncthing, told at once: \(Rival.beside(times, syncthings))")
        }
    }

    private static func place(_ round: Int) -> Int { (round * 173 << 20) + 12_345 }

    private func change(_ folder: String, _ round: Int) throws {
        let seed = UInt64(round) << 40
        try Place.write("\(folder)/world", seed: seed, at: Self.place(round), count: Self.change, truncating: false)
    }

    /// Measures Syncthing with the same changes.
    private func syncthing() async throws -> [Double] {
        guard let syncthing = try await pair.syncthing("large") else { return [] }
        try Place.write("\(syncthing.here)/world", seed: 1, count: Self.size, truncating: true)
        _ = try await syncthing.copy(files: 1)
        var times: [Double] = []
        for round in 1...Self.rounds {
            try change(syncthing.here, round)
            times.append(try await syncthing.copy(file: "world", at: Self.place(round), count: Self.change))
        }
        await syncthing.end()
        return times
    }

    /// Reads from the page cache, like the scan.
    private func read(_ path: String) throws -> Double {
        let file = try retrying("open", on: path) { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(file) }
        let (room, start) = (Room(1 << 20), ContinuousClock.now)
        while try retrying("read", { Glibc.read(file, room.bytes.baseAddress, room.bytes.count) }) > 0 {}
        return seconds(.now - start)
    }
}
