import LinuxPlatform
import TestSupport
import Transport
import Yardstick

/// Secure channels beside plain OpenSSL in the same run. Ratios count, and times are hints.
@main
enum TransportBenchmark {
    private static let total = 1 << 30
    private static let piece = 64 << 10

    static func main() async throws {
        let folder = TemporaryFolder()
        let identity = try Identity.loadOrCreate(in: folder.path)
        let raw = RawParty(identityFile: "\(folder.path)/\(Identity.fileName)")
        let lane = LaneParty(identity: identity)
        try await compareThroughput(raw, lane)
        try await compareRoundTrips(raw, lane)
        try await compareHandshakes(raw, lane)
    }

    private static func compareThroughput(_ raw: RawParty, _ lane: LaneParty) async throws {
        var (raws, lanes): ([Double], [Double]) = ([], [])
        var (rawWork, laneWork): ([Double], [Double]) = ([], [])
        for _ in 0..<7 {
            let start = processorSeconds()
            raws.append(1_024 / seconds(try await raw.transfer(total, pieces: piece)))
            let middle = processorSeconds()
            lanes.append(1_024 / seconds(try await lane.transfer(total, pieces: piece)))
            rawWork.append(middle - start)
            laneWork.append(processorSeconds() - middle)
        }
        // Other work on the machine changes this less than the wall time.
        report(
            "1 GiB, seconds of processor at both ends, median of 7",
            Figures(rawWork).median,
            Figures(laneWork).median
        )
        report("1 GiB, MiB/s, median of 7", Figures(raws).median, Figures(lanes).median)
        report("  the best of each", Figures(raws).quantile(1), Figures(lanes).quantile(1))
    }

    private static func compareRoundTrips(_ raw: RawParty, _ lane: LaneParty) async throws {
        var (raws, lanes): ([Double], [Double]) = ([], [])
        for _ in 0..<5 {
            raws += try await raw.roundTrips(4_000)
            lanes += try await lane.roundTrips(4_000)
        }
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            report(
                "64 bytes there and back, µs, \(name)",
                Figures(raws).quantile(share),
                Figures(lanes).quantile(share)
            )
        }
    }

    private static func compareHandshakes(_ raw: RawParty, _ lane: LaneParty) async throws {
        for resumed in [false, true] {
            let count = 1_000
            var (raws, lanes): ([Double], [Double]) = ([], [])
            for _ in 0..<3 {
                raws.append(Double(count) / seconds(try await raw.handshakes(count, resumed: resumed)))
                lanes.append(Double(count) / seconds(try await lane.handshakes(count, resumed: resumed)))
            }
            let name = resumed ? "resumed" : "whole"
            report("\(name) handshakes a second, median of 3", Figures(raws).median, Figures(lanes).median)
        }
    }

    private static func report(_ what: String, _ raw: Double, _ lane: Double) {
        print("\(what): raw \(text(raw, 1)), lane \(text(lane, 1)), ratio \(text(lane / raw))")
    }
}
