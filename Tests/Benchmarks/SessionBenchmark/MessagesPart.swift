import Yardstick

/// Messages in round trips, in one direction, and beside a file.
struct MessagesPart {
    private let bench: Bench

    init(_ bench: Bench) { self.bench = bench }

    func run() async throws {
        try await roundTrips()
        for (size, count) in [(64, 300_000), (4_096, 100_000)] {
            var rates: [Double] = []
            for _ in 0..<3 {
                rates.append(Double(count) / (try await bench.huddle("count", ["\(size)", "\(count)"])["seconds"]))
            }
            let rate = Figures(rates).median
            say(
                "messages one way of \(size) bytes: \(text(rate, 0)) a second, \(text(rate * Double(size) / 1048576, 1)) MiB/s"
            )
        }
    }

    private func roundTrips() async throws {
        var (raw, huddle, ratios) = ([Bench.Said](), [Bench.Said](), [Double]())
        for _ in 0..<5 {
            raw.append(try await bench.raw(RawServer.echo, 10_000))
            huddle.append(try await bench.huddle("echo", ["10000"]))
            ratios.append(huddle[huddle.count - 1]["p50"] / raw[raw.count - 1]["p50"])
        }
        for share in ["p50", "p99"] {
            let (one, other) = (Figures(raw.map { $0[share] }), Figures(huddle.map { $0[share] }))
            say(
                "64 bytes there and back, \(share), median of 5: raw TLS \(text(one.median, 1)) µs, huddle "
                    + "\(text(other.median, 1)) µs; ratio \(text(other.median / one.median))"
            )
        }
        let figures = Figures(ratios)
        say("  ratios of the rounds at p50: \(text(figures.quantile(0)))–\(text(figures.quantile(1)))")
    }

    func runWhileBusy() async throws {
        let path = "\(Place.memory)/large.bin"
        try Place.writeFile(path, count: 1 << 30)
        for _ in 0..<3 {
            let said = try await bench.huddle("busy", [path])
            try bench.clear(Place.memory)
            say(
                "64 bytes there and back while 1 GiB flows (\(text(said["seconds"])) s, \(Int(said["count"])) of them): p50 "
                    + "\(text(said["p50"] / 1000)) ms, p99 \(text(said["p99"] / 1000)) ms, longest \(text(said["max"] / 1000)) ms"
            )
        }
        try Place.remove(path)
    }
}
