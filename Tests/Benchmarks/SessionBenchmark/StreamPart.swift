import Yardstick

/// 1 GiB through a stream.
struct StreamPart {
    private static let count = 1 << 30
    private let bench: Bench

    init(_ bench: Bench) { self.bench = bench }

    func run() async throws {
        var (raws, streams, ratios, peak) = ([Double](), [Double](), [Double](), 0.0)
        for _ in 0..<5 {
            raws.append(try await bench.raw(RawServer.pour, Self.count)["seconds"])
            let said = try await bench.huddle("stream", ["\(Self.count)"])
            streams.append(said["seconds"])
            ratios.append(raws[raws.count - 1] / said["seconds"])
            peak = max(peak, said["peak"], said["peak there"])
        }
        print(
            "1 GiB through a stream, median of 5: raw TLS \(text(1024 / Figures(raws).median, 0)) MiB/s, huddle "
                + "\(text(1024 / Figures(streams).median, 0)) MiB/s; ratio \(text(Figures(ratios).median)); "
                + "peak memory \(text(peak / 1024, 1)) MiB"
        )
    }
}
