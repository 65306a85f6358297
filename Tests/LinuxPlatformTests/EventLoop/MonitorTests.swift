import LinuxPlatform
import Testing

@Suite("Monitor", .timeLimit(.minutes(5)))
struct MonitorTests {
    @Test("A waiting thread is woken by its change, and changes are serial")
    func handOver() async throws {
        let monitor = Monitor((turn: 0, seen: [Int]()))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<3 {
                group.addTask {
                    try await runBlocking("turns") {
                        for round in 0..<100 {
                            monitor.wait { state -> Void? in
                                guard state.turn == round * 3 + thread else { return nil }
                                state.seen.append(state.turn)
                                state.turn += 1
                                return ()
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(monitor.update { $0.seen } == Array(0..<300))
    }
}
