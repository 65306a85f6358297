import Glibc
import Ledger
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Ledgers after a kill of the writer", .timeLimit(.minutes(10)))
struct CrashTests {
    let kit = LedgerKit()

    @Test("The ledger opens with all acknowledged writes after a kill at any time", .serialized, arguments: [1, 2])
    func killed(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var acknowledged = 0
        for round in 0..<10 {
            // Every other kill is timed from the program's start, so that some come while the ledger is being opened.
            // The others are timed from the first write, so that it also happens on a slow machine.
            let delay = Int.random(in: 0...40_000, using: &generator)
            let begin: Strike = round.isMultiple(of: 2) ? .fromStart : .fromFirstWrite
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = kit.path as String, log = kit.temporary.path(of: "log") as String, delay = delay as Int,
                    begin = begin as Strike
                ] in
                try await writeUntilKilled(path, log, begin, after: .microseconds(delay))
            }
            acknowledged = kit.temporary.text(at: "log")?.count ?? 0
            let ledger = try await kit.open()
            if case .setAside = ledger.opening { Issue.record("seed \(seed), round \(round): set aside") }
            let counted = try await ledger.counter(.wrongCodes).count
            #expect((acknowledged...acknowledged + round + 1).contains(counted), "seed \(seed), round \(round)")
            let entered = try await ledger.inbox.all().count
            #expect((counted - 1...counted).contains(entered), "seed \(seed), round \(round)")
        }
        #expect(acknowledged > 0, "seed \(seed): no writer came as far as writing")
    }
}

/// The moment from which the time until the kill counts.
private enum Strike: String, Codable, Sendable {
    case fromStart, fromFirstWrite
}

/// Counts, writes an entry, and then reports it with one byte for each safe entry.
private func writeUntilKilled(_ path: String, _ log: String, _ begin: Strike, after delay: Duration) async throws {
    let descriptor = try retrying("open") { open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
    let strikes: () -> Void = { EventLoop.shared.schedule(after: delay) { @Sendable in kill(getpid(), SIGKILL) } }
    if begin == .fromStart { strikes() }
    let ledger = try await Ledger.open(at: path)
    guard let peer = PeerID(bytes: [UInt8](repeating: 1, count: 32)) else { preconditionFailure("32 bytes") }
    // If a writer was killed between the two, the second one is made up for first.
    while try await ledger.inbox.all().count < ledger.counter(.wrongCodes).count {
        try await ledger.inbox.enter(.message([1, 2, 3]), from: peer, size: ByteCount(3))
    }
    var isStruck = begin == .fromStart
    while true {
        try await ledger.change(.wrongCodes) { $0.count += 1 }
        try await ledger.inbox.enter(.message([1, 2, 3]), from: peer, size: ByteCount(3))
        _ = write(descriptor, ".", 1)
        if !isStruck {
            isStruck = true
            strikes()
        }
    }
}
