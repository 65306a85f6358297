import Yardstick

/// 1 GiB through a stream.
struct StreamPart {
    private static let count = 1 << 30
    private let bench: Bench

    init(_ bench: Bench) { self.bench = bench }

    func run() async throws {
        var (rawWork, work) = ([Double](), [Double]())
        var (raws, streams, ratios, peak) = ([Double](), [Double](), [Double](), 0.0)
        for _ in 0..<5 {
            let yardstick = try await bench.raw(RawServer.pour, Self.count)
            raws.append(yardstick["seconds"])
            rawWork.append(yardstick["cpu"])
            let said = try await bench.huddle("stream", ["\(Self.count)"])
            work.append(said["cpu"])
            streams.append(said["seconds"])
            ratios.append(raws[raws.count - 1] / said["seconds"])
            peak = max(peak, said["peak"], said["peak there"])
        }
        say(
            "1 GiB through a stream, median of 5: raw TLS \(text(1024 / Figures(raws).median, 0)) MiB/s, huddle "
                + "\(text(1024 / Figures(streams).median, 0)) MiB/s; ratio \(text(Figures(ratios).median)); "
                + "seconds of the rounds: raw \(Figures(raws).range), huddle \(Figures(streams).range); peak memory \(text(peak / 1024, 1)) MiB"
        )
        say(
            "  seconds of processor, both ends: raw TLS \(text(Figures(rawWork).median)), huddle "
                + "\(text(Figures(work).median)); ratio \(text(Figures(rawWork).median / Figures(work).median))"
        )
    }
}
