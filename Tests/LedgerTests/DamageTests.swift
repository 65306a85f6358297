import Glibc
@testable import Ledger
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

/// Whatever stands in the file, opening it ends in one of three ways: it is sound, it is set aside byte for byte, or it is
/// refused with a next step and left alone. What was opened can then be used.
@Suite("A damaged ledger", .timeLimit(.minutes(10)))
struct DamageTests {
    let kit = LedgerKit()

    @Test("cut off at any length, it is set aside as it is")
    func truncated() async throws {
        try await kit.fill()
        let whole = try #require(kit.bytes())
        #expect(whole.count > 40_000)
        let lengths =
            [2, 15, 16, 17, 99, 100, 101, 511, 512, 4095, 4096, 4097] + stride(from: 5000, to: whole.count, by: 4513)
        for length in lengths {
            let cut = Array(whole.prefix(length))
            let opening = try await openAnew(with: cut)
            // Where only the emptiness of the last page is cut off, SQLite sees that nothing is missing, and so it is.
            if case .opened = opening, try await peersAnew(with: cut) == 40 { continue }
            guard case .setAside = opening else {
                Issue.record("\(length) of \(whole.count) bytes: \(String(describing: opening))")
                continue
            }
        }
    }

    @Test(
        "with random bytes changed, it is opened, set aside or refused, and never half believed",
        arguments: [1, 2, 3]
    )
    func flipped(seed: UInt64) async throws {
        try await kit.fill()
        let whole = try #require(kit.bytes())
        var generator = SeededGenerator(seed: seed)
        var setAside = 0
        for round in 0..<60 {
            var changed = whole
            // The head and the first pages hold what matters most, so they are hit more often.
            let reach = [100, 4096, whole.count][round % 3]
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                changed[Int.random(in: 0..<reach, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do {
                if case .setAside = try await openAnew(with: changed) { setAside += 1 }
            } catch let error as LedgerError {
                #expect(error.code == LedgerError.newerCode, "seed \(seed), round \(round): \(error)")
                #expect(kit.bytes() == changed, "seed \(seed), round \(round)")
            }
        }
        #expect(setAside > 10, "seed \(seed)")
    }

    @Test(
        "with a log that is garbage or cut off, what the file itself holds is there",
        arguments: [0, 1, 31, 32, 33, 5000]
    )
    func damagedLog(length: Int) async throws {
        try await kit.fill()
        var generator = SeededGenerator(seed: UInt64(length))
        try kit.replaceFile(
            "ledger.sqlite-wal",
            with: (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
        )
        let ledger = try await kit.open()
        #expect(ledger.opening == .opened)
        #expect(try await ledger.peers().values.count == 40)
    }

    @Test("what its log holds is set aside with it, and nothing of it is written into the damaged file")
    func logOfDamaged() async throws {
        try await kit.fill()
        var ledger: Ledger? = try await kit.open()
        try await ledger?.pin(peerID(99))
        let log = try #require(kit.bytes(of: "ledger.sqlite-wal"))
        #expect(log.count > 4096)
        ledger = nil
        let damaged = Array(try #require(kit.bytes()).prefix(20_000))
        for name in try kit.names() { unlink("\(kit.path)/\(name)") }
        try kit.replaceFile(with: damaged)
        try kit.replaceFile("ledger.sqlite-wal", with: log)
        #expect(try await kit.open().opening == .setAside(kit.file + ".damaged-1"))
        #expect(kit.bytes(of: "ledger.sqlite.damaged-1") == damaged)
        #expect(kit.bytes(of: "ledger.sqlite.damaged-1-wal") == log)
    }

    /// Puts bytes in the ledger's place, opens it, uses it, and looks whether what was set aside is what was there.
    private func peersAnew(with bytes: [UInt8]) async throws -> Int {
        for name in try kit.names() { unlink("\(kit.path)/\(name)") }
        try kit.replaceFile(with: bytes)
        return try await kit.open().peers().values.count
    }

    private func openAnew(with bytes: [UInt8]) async throws -> Ledger.Opening {
        for name in try kit.names() { unlink("\(kit.path)/\(name)") }
        try kit.replaceFile(with: bytes)
        let ledger = try await kit.open()
        if case .setAside(let path) = ledger.opening {
            #expect(path == kit.file + ".damaged-1")
            #expect(kit.bytes(of: "ledger.sqlite.damaged-1") == bytes)
            #expect(try await ledger.peers().values.isEmpty)
        }
        // Whatever was believed can be read, if not everything in it understood.
        _ = try await ledger.peers()
        _ = try await ledger.audit()
        try await ledger.pin(peerID(250))
        #expect(try await ledger.peer(peerID(250))?.isPinned == true)
        return ledger.opening
    }
}
