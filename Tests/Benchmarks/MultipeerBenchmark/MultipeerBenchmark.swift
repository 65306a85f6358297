import Foundation
import Yardstick

/// Messages and files between two peers of one program, over the engine's own sessions and over those of Apple's kind, in turns.
@main
enum MultipeerBenchmark {
    private static let rounds = 5
    private static let echoes = 5_000
    private static let pours = 100_000
    private static let fileSize = 256 << 20
    /// What a message begins with that is not answered.
    static let uncounted: UInt8 = 1

    /// With the word `messages` it leaves out the files.
    static func main() async throws {
        let chosen = CommandLine.arguments.dropFirst()
        let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let place = "\(folder)/multipeer-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: "\(place)/received", withIntermediateDirectories: true)
        // What is received goes to the same place on both ways.
        setenv("XDG_RUNTIME_DIR", place, 1)
        setenv("TMPDIR", place, 1)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let file = "\(place)/large.bin"
        try Data(repeating: 7, count: fileSize).write(to: URL(fileURLWithPath: file))
        let (near, apart) = (
            try await EnginePair.make(in: place, .onTheEngine), try await EnginePair.make(in: place, .apart)
        )
        let apple = try await ApplePair.make()

        var latencies: (near: [Double], apart: [Double], apple: [Double]) = ([], [], [])
        var rates: (near: [Double], apart: [Double], apple: [Double]) = ([], [], [])
        var times: (engine: [Double], apple: [Double]) = ([], [])
        for _ in 0..<rounds {
            latencies.near.append(Figures(try await near.roundTrips(echoes)).median)
            latencies.apart.append(Figures(try await apart.roundTrips(echoes)).median)
            latencies.apple.append(Figures(try await apple.roundTrips(echoes)).median)
            rates.near.append(try await near.rate(of: pours))
            rates.apart.append(try await apart.rate(of: pours))
            rates.apple.append(try await apple.rate(of: pours))
            if chosen.contains("messages") { continue }
            times.engine.append(try await near.send(file))
            times.apple.append(try await apple.send(file))
        }
        let echo = "64 bytes there and back, p50 in µs"
        tell(echo, EnginePair.Programs.apart.rawValue, latencies.apart, latencies.apple)
        tell(echo, EnginePair.Programs.onTheEngine.rawValue, latencies.near, latencies.apple)
        let pour = "messages of 64 bytes a second, one way"
        tell(pour, EnginePair.Programs.apart.rawValue, rates.apart, rates.apple)
        tell(pour, EnginePair.Programs.onTheEngine.rawValue, rates.near, rates.apple)
        if !times.engine.isEmpty { tell("\(fileSize >> 20) MiB file in seconds", "engine", times.engine, times.apple) }
    }

    private static func tell(_ what: String, _ rival: String, _ engine: [Double], _ apple: [Double]) {
        let ratios = Figures(zip(engine, apple).map { $1 / $0 })
        print(
            "\(what), median of \(rounds): \(rival) \(text(Figures(engine).median)), MultipeerConnectivity "
                + "\(text(Figures(apple).median)); ratio \(text(ratios.median)) (\(ratios.range))"
        )
    }
}
