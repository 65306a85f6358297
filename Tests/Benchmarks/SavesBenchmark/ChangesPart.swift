import Yardstick

/// The history's space on the disk after 100 changes of 1 MiB in a file of 1 GiB, on one machine.
struct ChangesPart {
    private static let (size, change, rounds) = (1 << 30, 1 << 20, 100)
    let pair: Pair

    init(_ pair: Pair) { self.pair = pair }

    func run() async throws {
        let (path, host) = ("\(pair.near.folder)/changing", pair.near)
        try Place.make(path)
        try Place.write("\(path)/world", seed: 7, count: Self.size, truncating: true)
        let start = try Place.diskUse(host.history)
        try await host.huddle(["share", "--only-here", path, "--name", "changing", "--keep", "100000"])
        let first = try Place.diskUse(host.history)
        for round in 1...Self.rounds {
            let saved = await host.counts.saved
            let place = (round * 7_919 % 1_022) << 20 + 4_321
            try Place.write(
                "\(path)/world",
                seed: UInt64(round) << 36,
                at: place,
                count: Self.change,
                truncating: false
            )
            try await host.untilSaved(beyond: saved)
        }
        let last = try Place.diskUse(host.history)
        let changes = Double(last - first) / Double(Self.rounds * Self.change)
        say(
            "100 changes of 1 MiB in a file of 1 GiB: the first version takes "
                + "\(text(Double(first - start) / Double(Self.size))) of the file on disk, each change "
                + "\(text(changes)) MiB; all 101 versions \(text(Double(last - start) / Double(Self.size))) of the file"
        )
    }
}
