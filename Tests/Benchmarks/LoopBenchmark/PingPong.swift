import LinuxPlatform
import TestSupport

/// Round trips of 64 bytes over loopback. The candidates take turns in short blocks, so that other work on the machine
/// affects all equally.
enum PingPong {
    enum EchoSide: String, CaseIterable {
        case blockingThread = "the other side a blocking thread for all"
        case sameCandidate = "both sides the candidate"
    }

    static func run(_ side: EchoSide, blocks: Int, rounds: Int) async throws {
        var parties: [any Party] = []
        var echoes: [(party: any Party, task: Task<Void, any Error>)] = []
        for candidate in Candidate.all {
            let (near, far) = try candidate.connected()
            let echo: any Party = side == .blockingThread ? BlockingParty(far) : try candidate.makeParty(far)
            echoes.append((echo, Task { try await echo.echo() }))
            _ = try await near.pingPong(rounds: 200)
            parties.append(near)
        }
        var samples = Array(repeating: Samples(), count: parties.count)
        for block in 0..<blocks {
            for offset in parties.indices {
                let index = (block + offset) % parties.count
                samples[index].add(try await parties[index].pingPong(rounds: rounds))
            }
        }
        for party in parties { await party.end() }
        for echo in echoes {
            _ = await echo.task.result
            await echo.party.end()
        }
        show(side, samples, count: blocks * rounds)
    }

    private static func show(_ side: EchoSide, _ samples: [Samples], count: Int) {
        var table = Table(
            "64 bytes there and back, \(count) times, \(side.rawValue)",
            ["candidate", "p50 µs", "p99 µs", "p50 ratio", "p99 ratio"]
        )
        let (median, tail) = (samples[0].percentile(50), samples[0].percentile(99))
        for (candidate, times) in zip(Candidate.all, samples) {
            table.add([
                candidate.name, figure(times.percentile(50) / 1_000), figure(times.percentile(99) / 1_000),
                ratio(times.percentile(50), to: median), ratio(times.percentile(99), to: tail),
            ])
        }
        table.show()
    }
}
