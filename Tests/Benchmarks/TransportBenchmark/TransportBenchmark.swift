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
        let channel = ChannelParty(identity: identity)
        try await compareThroughput(raw, channel)
        try await compareRoundTrips(raw, channel)
        try await compareHandshakes(raw, channel)
    }

    private static func compareThroughput(_ raw: RawParty, _ channel: ChannelParty) async throws {
        var (raws, channels): ([Double], [Double]) = ([], [])
        var (rawWork, channelWork): ([Double], [Double]) = ([], [])
        for _ in 0..<7 {
            let start = processorSeconds()
            raws.append(1_024 / seconds(try await raw.transfer(total, pieces: piece)))
            let middle = processorSeconds()
            channels.append(1_024 / seconds(try await channel.transfer(total, pieces: piece)))
            rawWork.append(middle - start)
            channelWork.append(processorSeconds() - middle)
        }
        // Other work on the machine changes this less than the wall time.
        report(
            "1 GiB, seconds of processor at both ends, median of 7",
            Figures(rawWork).median,
            Figures(channelWork).median
        )
        report("1 GiB, MiB/s, median of 7", Figures(raws).median, Figures(channels).median)
        report("  the best of each", Figures(raws).quantile(1), Figures(channels).quantile(1))
    }

    private static func compareRoundTrips(_ raw: RawParty, _ channel: ChannelParty) async throws {
        var (raws, channels): ([Double], [Double]) = ([], [])
        for _ in 0..<5 {
            raws += try await raw.roundTrips(4_000)
            channels += try await channel.roundTrips(4_000)
        }
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            report(
                "64 bytes there and back, µs, \(name)",
                Figures(raws).quantile(share),
                Figures(channels).quantile(share)
            )
        }
    }

    private static func compareHandshakes(_ raw: RawParty, _ channel: ChannelParty) async throws {
        for resumed in [false, true] {
            let count = 1_000
            var (raws, channels): ([Double], [Double]) = ([], [])
            for _ in 0..<3 {
                raws.append(Double(count) / seconds(try await raw.handshakes(count, resumed: resumed)))
                channels.append(Double(count) / seconds(try await channel.handshakes(count, resumed: resumed)))
            }
            let name = resumed ? "resumed" : "whole"
            report("\(name) handshakes a second, median of 3", Figures(raws).median, Figures(channels).median)
        }
    }

    private static func report(_ what: String, _ raw: Double, _ channel: Double) {
        print("\(what): raw \(text(raw, 1)), channel \(text(channel, 1)), ratio \(text(channel / raw))")
    }
}
