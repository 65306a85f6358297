import LabKit
import LinuxPlatform
import Yardstick

/// The time from the close of a save of 256 KiB until the other host has it.
struct SavePart {
    private static let (size, rounds, rivalRounds) = (256 << 10, 100, 20)
    let pair: Pair

    init(_ pair: Pair) { self.pair = pair }

    func run() async throws {
        let path = "\(pair.near.folder)/small"
        try Place.make(path)
        try Place.write("\(path)/slot", seed: 1, count: Self.size, truncating: true)
        let set = try await pair.share("small")
        var times: [Double] = []
        for round in 2...(Self.rounds + 1) {
            let before = await pair.far.counts.applied
            try Place.write("\(set.here)/slot", seed: UInt64(round), count: Self.size, truncating: true)
            let closed = ContinuousClock.now
            try await pair.far.untilApplied(beyond: before)
            times.append(seconds(.now - closed) - DaemonHost.settle)
            let bytes = Place.bytes("\(set.here)/slot", count: Self.size)
            guard bytes != nil, bytes == Place.bytes("\(set.there)/slot", count: Self.size) else {
                throw Unexpected("round \(round): what is there is not what is here")
            }
        }
        let syncthings = try await syncthing()
        let figures = Figures(times.map { $0 * 1_000 })
        say(
            "a save of 256 KiB, closed → whole on the other host, beyond the 300 ms of settling, "
                + "\(Self.rounds) rounds: median \(text(figures.median, 0)) ms, "
                + "p99 \(text(figures.quantile(0.99), 0)) ms; to the 300 ms that it may take "
                + "\(text(figures.median / 300)) and \(text(figures.quantile(0.99) / 300))"
        )
        if !Rival.isMissing("Syncthing", syncthings) {
            say("  Syncthing, told at once, \(Self.rivalRounds) rounds: \(Rival.beside(times, syncthings))")
        }
    }

    /// Measures Syncthing with such saves.
    private func syncthing() async throws -> [Double] {
        guard let syncthing = try await pair.syncthing("small") else { return [] }
        var times: [Double] = []
        for round in 1...Self.rivalRounds {
            try Place.write("\(syncthing.here)/slot", seed: UInt64(round), count: Self.size, truncating: true)
            times.append(try await syncthing.copy(file: "slot", count: Self.size))
        }
        await syncthing.end()
        return times
    }
}
