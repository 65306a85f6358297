import Ledger
import LinuxPlatform
import Testing
import TestSupport

@Suite("Released ledgers", .timeLimit(.minutes(5)))
struct LettingGoTests {
    let kit = LedgerKit()

    @Test("A released ledger has no thread and no open file, and its log is in its file")
    func nothingLeft() async throws {
        try await kit.fill()
        #expect(try kit.names() == ["ledger.bell", "ledger.copy", "ledger.lock", "ledger.sqlite"])
        await #expect(processExitsWith: .success) { [path = kit.path as String] in
            try await openOftenAndLetGo(path)
        }
        #expect(try kit.names() == ["ledger.bell", "ledger.copy", "ledger.lock", "ledger.sqlite"])
    }
}

private func openOftenAndLetGo(_ path: String) async throws {
    // Files that other tests have open at this moment may be inherited.
    let before = OwnProcess.descriptors().count
    for _ in 0..<20 {
        let ledger = try await Ledger.open(at: path)
        let changes = try await ledger.changes()
        let reader = Task { for try await _ in changes {} }
        try await ledger.note("opened")
        reader.cancel()
        _ = try await reader.value
    }
    let deadline = ContinuousClock.now + .seconds(20)
    while let left = leftOver(before) {
        guard ContinuousClock.now < deadline else { throw Leftover(description: left) }
        await Task.yield()
    }
}

private func leftOver(_ before: Int) -> String? {
    let threads = OwnProcess.threads().filter { $0.name == "ledger" }.count
    let descriptors = OwnProcess.descriptors().count
    // The shared event loop and the testing library have a few files; twenty ledgers would have a hundred.
    return threads > 0 || descriptors > before + 20 ? "\(threads) threads, \(descriptors) descriptors" : nil
}

private struct Leftover: Error, CustomStringConvertible {
    let description: String
}
