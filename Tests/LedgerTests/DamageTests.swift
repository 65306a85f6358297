import Glibc
@testable import Ledger
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

/// For any contents of the file, opening has one of three outcomes: it is sound, it is set aside byte for byte, or it
/// is refused with a next step and left alone. An opened ledger can then be used.
@Suite("Damaged ledgers", .timeLimit(.minutes(10)))
struct DamageTests {
    let kit = LedgerKit()

    @Test("A ledger that is cut off at any length is set aside unchanged")
    func truncated() async throws {
        try await kit.fill()
        let whole = try #require(kit.bytes())
        #expect(whole.count > 40_000)
        let lengths =
            [2, 15, 16, 17, 99, 100, 101, 511, 512, 4095, 4096, 4097] + stride(from: 5000, to: whole.count, by: 4513)
        for length in lengths {
            let cut = Array(whole.prefix(length))
            let opening = try await openAgain(with: cut)
            // If only the empty rest of the last page is cut off, nothing is missing, and SQLite accepts the file.
            if case .opened = opening, try await peersAgain(with: cut) == 40 { continue }
            guard case .setAside = opening else {
                Issue.record("\(length) of \(whole.count) bytes: \(String(describing: opening))")
                continue
            }
        }
    }

    @Test(
        "With random changed bytes a ledger is opened, set aside or refused, but never half read",
        arguments: [1, 2, 3]
    )
    func flipped(seed: UInt64) async throws {
        try await kit.fill()
        let whole = try #require(kit.bytes())
        var generator = SeededGenerator(seed: seed)
        var setAside = 0
        for round in 0..<60 {
            var changed = whole
            // The header and the first pages matter most, so they are changed more often.
            let reach = [100, 4096, whole.count][round % 3]
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                changed[Int.random(in: 0..<reach, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do {
                if case .setAside = try await openAgain(with: changed) { setAside += 1 }
            } catch let error as LedgerError {
                #expect(error.code == LedgerError.newerCode, "seed \(seed), round \(round): \(error)")
                #expect(kit.bytes() == changed, "seed \(seed), round \(round)")
            }
        }
        #expect(setAside > 10, "seed \(seed)")
    }

    @Test(
        "With a log that is garbage or cut off, the contents of the file itself are there",
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

    @Test("The log is set aside with a damaged file, and never written into it")
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

    /// Replaces the ledger with these bytes, opens and uses it, and compares the set-aside file with the bytes.
    private func peersAgain(with bytes: [UInt8]) async throws -> Int {
        for name in try kit.names() { unlink("\(kit.path)/\(name)") }
        try kit.replaceFile(with: bytes)
        return try await kit.open().peers().values.count
    }

    private func openAgain(with bytes: [UInt8]) async throws -> Ledger.Opening {
        for name in try kit.names() { unlink("\(kit.path)/\(name)") }
        try kit.replaceFile(with: bytes)
        let ledger = try await kit.open()
        if case .setAside(let path) = ledger.opening {
            #expect(path == kit.file + ".damaged-1")
            #expect(kit.bytes(of: "ledger.sqlite.damaged-1") == bytes)
            #expect(try await ledger.peers().values.isEmpty)
        }
        // An accepted ledger can be read, though some of its values may make no sense.
        _ = try await ledger.peers()
        _ = try await ledger.audit()
        try await ledger.pin(peerID(250))
        #expect(try await ledger.peer(peerID(250))?.isPinned == true)
        return ledger.opening
    }
}
