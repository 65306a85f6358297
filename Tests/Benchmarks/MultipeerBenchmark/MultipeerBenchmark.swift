import Foundation
import Yardstick

/// Messages and files between two peers of one program, over the engine's sessions and MultipeerConnectivity in turns.
@main
enum MultipeerBenchmark {
    private static let rounds = 5
    private static let echoes = 5_000
    private static let pours = 100_000
    private static let fileSize = 256 << 20
    /// The first byte of a message without an answer.
    static let uncounted: UInt8 = 1

    /// With the argument `messages` it leaves out the files.
    static func main() async throws {
        let chosen = CommandLine.arguments.dropFirst()
        let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let place = "\(folder)/multipeer-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: "\(place)/received", withIntermediateDirectories: true)
        // Received files go to the same folder in both cases.
        setenv("XDG_RUNTIME_DIR", place, 1)
        setenv("TMPDIR", place, 1)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let file = "\(place)/large.bin"
        try Data(repeating: 7, count: fileSize).write(to: URL(fileURLWithPath: file))
        let (near, apart) = (
            try await EnginePair.make(in: place, .onTheEngine), try await EnginePair.make(in: place, .apart)
        )
        let (apple, tasks) = (try await ApplePair.make(), try await AsyncPair.make())

        var latencies = Measured()
        var rates = Measured()
        var times: (engine: [Double], apple: [Double]) = ([], [])
        for _ in 0..<rounds {
            latencies.near.append(Figures(try await near.roundTrips(echoes)).median)
            latencies.apart.append(Figures(try await apart.roundTrips(echoes)).median)
            latencies.apple.append(Figures(try await apple.roundTrips(echoes)).median)
            latencies.tasks.append(Figures(try await tasks.roundTrips(echoes)).median)
            rates.near.append(try await near.rate(of: pours))
            rates.apart.append(try await apart.rate(of: pours))
            rates.apple.append(try await apple.rate(of: pours))
            rates.tasks.append(try await tasks.rate(of: pours))
            if chosen.contains("messages") { continue }
            times.engine.append(try await near.send(file))
            times.apple.append(try await apple.send(file))
        }
        latencies.tell("64 bytes there and back, p50 in µs")
        rates.tell("messages of 64 bytes a second, one way")
        if !times.engine.isEmpty {
            tell("\(fileSize >> 20) MiB file in seconds", "engine", times.engine, "MultipeerConnectivity", times.apple)
        }
    }

    /// One figure a round for each API.
    private struct Measured {
        var near: [Double] = []
        var apart: [Double] = []
        var apple: [Double] = []
        var tasks: [Double] = []

        func tell(_ what: String) {
            for (engine, times) in [(EnginePair.Programs.apart, apart), (.onTheEngine, near)] {
                MultipeerBenchmark.tell(what, engine.rawValue, times, "delegates", apple)
                MultipeerBenchmark.tell(what, engine.rawValue, times, "tasks over MultipeerConnectivity", tasks)
            }
        }
    }

    private static func tell(
        _ what: String,
        _ rival: String,
        _ engine: [Double],
        _ own: String,
        _ apple: [Double]
    ) {
        let ratios = Figures(zip(engine, apple).map { $1 / $0 })
        print(
            "\(what), median of \(rounds): \(rival) \(text(Figures(engine).median)), \(own) "
                + "\(text(Figures(apple).median)); ratio \(text(ratios.median)) (\(ratios.range))"
        )
    }
}
