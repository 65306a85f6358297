import LabKit
import LinuxPlatform
import Yardstick

/// The costs of an idle node.
struct IdlePart {
    private let bench: Bench

    init(_ bench: Bench) { self.bench = bench }

    func run() async throws {
        let server = try await bench.serve(into: Place.memory)[0]
        try await measure("a node without links", server.identifier)
        let client = try await bench.lab[1].start(bench.clientWords("idle", []))
        try await bench.ready(client)
        try await measure("a node with one link and one session", server.identifier)
        await client.terminate()
        await server.terminate()
    }

    private func measure(_ what: String, _ process: CInt) async throws {
        // The work after the start ends within a moment.
        try await EventLoop.shared.sleep(for: .seconds(5))
        guard let before = ProcessFigures(of: process) else { throw BadWord(words: [what]) }
        try await EventLoop.shared.sleep(for: .seconds(20))
        guard let after = ProcessFigures(of: process) else { throw BadWord(words: [what]) }
        let cost = seconds(after.processorTime - before.processorTime) * 1000
        say(
            "\(what), idle for 20 s: \(text(Double(after.residentKiB) / 1024, 1)) MiB resident, \(after.threads) threads, "
                + "\(text(cost)) ms of processor, \(after.wakeUps - before.wakeUps) wake-ups"
        )
    }
}
