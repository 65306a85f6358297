import Yardstick

/// One file to eight peers at once, beside eight raw connections.
struct PeersPart {
    private static let count = 256 << 20
    private let bench: Bench

    init(_ bench: Bench) { self.bench = bench }

    func run() async throws {
        let path = "\(Place.memory)/shared.bin"
        try Place.writeFile(path, count: Self.count)
        var (raws, ours, ratios, said) = ([Double](), [Double](), [Double](), Bench.Said())
        for _ in 0..<3 {
            raws.append(try await bench.raw(RawServer.pour, Self.count, connections: Bench.peers)["seconds"])
            said = try await bench.huddle("resource", [path], peers: Bench.peers)
            ours.append(said["seconds"])
            ratios.append(raws[raws.count - 1] / said["seconds"])
            try bench.clear(Place.memory)
        }
        try Place.remove(path)
        say(
            "256 MiB to 8 peers, median of 3: 8 raw connections \(text(Figures(raws).median)) s, huddle "
                + "\(text(Figures(ours).median)) s; ratio \(text(Figures(ratios).median)); read from the file: "
                + "\(text(said["read"] / Double(Self.count))) times; peak memory: sender \(text(said["peak"] / 1024, 1)) MiB, "
                + "a receiver \(text(said["peak there"] / 1024, 1)) MiB"
        )
    }
}
