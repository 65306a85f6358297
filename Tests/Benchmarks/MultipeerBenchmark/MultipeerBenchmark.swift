import Foundation
import Yardstick

/// Messages and files between two peers of one program, over the engine's own sessions and over those of Apple's kind, in turns.
@main
enum MultipeerBenchmark {
    private static let rounds = 5
    private static let echoes = 5_000
    private static let fileSize = 256 << 20

    static func main() async throws {
        let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let place = "\(folder)/multipeer-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: "\(place)/received", withIntermediateDirectories: true)
        // What is received goes to the same place on both ways.
        setenv("XDG_RUNTIME_DIR", place, 1)
        setenv("TMPDIR", place, 1)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let file = "\(place)/large.bin"
        try Data(repeating: 7, count: fileSize).write(to: URL(fileURLWithPath: file))
        let engine = try await EnginePair.make(in: place)
        let apple = try await ApplePair.make()

        var latencies: (engine: [Double], apple: [Double]) = ([], [])
        var times: (engine: [Double], apple: [Double]) = ([], [])
        for _ in 0..<rounds {
            latencies.engine.append(Figures(try await engine.roundTrips(echoes)).median)
            latencies.apple.append(Figures(await apple.roundTrips(echoes)).median)
            times.engine.append(try await engine.send(file))
            times.apple.append(try await apple.send(file))
        }
        tell("64 bytes there and back, p50 in µs", latencies.engine, latencies.apple)
        tell("\(fileSize >> 20) MiB file in seconds", times.engine, times.apple)
    }

    private static func tell(_ what: String, _ engine: [Double], _ apple: [Double]) {
        let ratios = Figures(zip(engine, apple).map { $1 / $0 })
        print(
            "\(what), median of \(rounds): engine \(text(Figures(engine).median)), MultipeerConnectivity "
                + "\(text(Figures(apple).median)); ratio \(text(ratios.median)) (\(ratios.range))"
        )
    }
}
