import LinuxPlatform
import TestSupport
import Testing

@testable import Session

@Suite("The work with files that one peer causes", .timeLimit(.minutes(2)))
@Engine
struct FileSemaphoreTests {
    @Test("file work uses at most four threads at once, and all of it is done")
    func few() async throws {
        let (turns, gate, begun) = (FileSemaphore(), BlockingGate(), Probe(0))
        let works = (0..<12).map { number in
            Task(executorPreference: EventLoop.shared.taskExecutor) {
                try await turns.run("files") {
                    begun.count()
                    gate.pass()
                    return number
                }
            }
        }
        try await begun.wait { $0 == 4 }
        #expect(!turns.isIdle)
        gate.open()
        for (number, work) in works.enumerated() { #expect(try await work.value == number) }
        #expect(begun.value == 12)
        #expect(turns.isIdle)
    }

    @Test("file work goes on after one task has failed")
    func failing() async throws {
        let turns = FileSemaphore()
        for _ in 0..<8 {
            await #expect(throws: CancellationError.self) { try await turns.run("files") { throw CancellationError() } }
        }
        #expect(try await turns.run("files") { 7 } == 7)
        #expect(turns.isIdle)
    }
}
