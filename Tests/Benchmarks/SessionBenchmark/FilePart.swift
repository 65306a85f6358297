import Yardstick

/// 1 GiB, beside one raw connection.
struct FilePart {
    private static let count = 1 << 30
    private static let rounds = 5

    private let bench: Bench
    private let folder: String

    init(_ bench: Bench, in folder: String) {
        (self.bench, self.folder) = (bench, folder)
    }

    func run() async throws {
        let path = "\(folder)/large.bin"
        try Place.writeFile(path, count: Self.count)
        var (rawWork, work) = ([Double](), [Double]())
        var (raw, stored, huddle, ratios) = ([Double](), [Double](), [Double](), [Double]())
        var (here, there) = (0.0, 0.0)
        for _ in 0..<Self.rounds {
            let yardstick = try await bench.raw(RawServer.pour, Self.count)
            raw.append(yardstick["seconds"])
            rawWork.append(yardstick["cpu"])
            if folder == Place.disk { stored.append(try await bench.raw(RawServer.store, Self.count)["seconds"]) }
            let said = try await bench.huddle("resource", [path], into: folder)
            work.append(said["cpu"])
            huddle.append(said["seconds"])
            ratios.append(raw[raw.count - 1] / said["seconds"])
            (here, there) = (max(here, said["peak"]), max(there, said["peak there"]))
            try bench.clear(folder)
        }
        try Place.remove(path)
        tell(Figures(raw), stored, Figures(huddle), Figures(ratios), here, there)
        print(
            "  seconds of processor, both ends: raw TLS \(text(Figures(rawWork).median)), huddle "
                + "\(text(Figures(work).median)); ratio \(text(Figures(rawWork).median / Figures(work).median))"
        )
    }

    private func tell(
        _ raw: Figures,
        _ stored: [Double],
        _ huddle: Figures,
        _ ratios: Figures,
        _ here: Double,
        _ there: Double
    ) {
        let place = folder == Place.disk ? "disk" : "tmpfs"
        print(
            "1 GiB file, \(place) to \(place), median of \(Self.rounds): raw TLS to nowhere \(text(raw.median)) s, huddle "
                + "\(text(huddle.median)) s; ratio \(text(ratios.median)) (\(ratios.range))"
        )
        print("  seconds of the rounds: raw \(raw.range), huddle \(huddle.range)")
        if !stored.isEmpty {
            let median = Figures(stored).median
            print("  beside raw TLS into a file, flushed: \(text(median)) s, ratio \(text(median / huddle.median))")
        }
        print("  peak memory: sender \(text(here / 1024, 1)) MiB, receiver \(text(there / 1024, 1)) MiB")
    }
}
