import CLinux
import Glibc
@testable import Ledger
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Opening the ledger", .timeLimit(.minutes(10)))
struct OpeningTests {
    let kit = LedgerKit()

    @Test("a new one is for its owner alone, in folders made on the way")
    func modes() async throws {
        let path = kit.temporary.path(of: "a/b/c")
        let ledger = try await Ledger.open(at: path)
        try await ledger.pin(peerID(1))
        #expect(ledger.opening == .fresh)
        #expect(mode(of: path) == 0o700 && mode(of: kit.temporary.path(of: "a")) == 0o700)
        for name in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "ledger.lock", "ledger.bell"] {
            #expect(mode(of: "\(path)/\(name)") == 0o600, "\(name)")
        }
    }

    @Test("a file that others could read is closed to them")
    func looseMode() async throws {
        try await kit.fill()
        chmod(kit.file, 0o644)
        _ = try await kit.open()
        #expect(mode(of: kit.file) == 0o600)
    }

    @Test("a folder that others may write to is refused")
    func looseFolder() async throws {
        mkdir(kit.path, 0o777)
        chmod(kit.path, 0o777)
        #expect(await code { _ = try await kit.open() } == "ledger.folder-open-to-others")
        chmod(kit.path, 0o755)
        #expect(try await kit.open().opening == .fresh)
    }

    @Test("a file where the folder should be is refused, and stays")
    func fileInsteadOfFolder() async throws {
        try kit.temporary.put("mine", at: "ledger")
        #expect(await code { _ = try await kit.open() } == LedgerError.cannotOpenCode)
        #expect(kit.temporary.text(at: "ledger") == "mine")
    }

    @Test("a newer form is refused with what to do, and left as it is")
    func newer() async throws {
        try await kit.fill()
        try kit.edit("PRAGMA user_version = 99")
        let before = kit.bytes()
        #expect(await code { _ = try await kit.open() } == LedgerError.newerCode)
        #expect(kit.bytes() == before)
        #expect(try kit.names().allSatisfy { !$0.contains("damaged") })
        try kit.edit("PRAGMA user_version = 8")
        #expect(try await kit.open().peers().values.count == 40)
    }

    @Test("an empty file, as of somebody who was stopped right after making it, is a fresh start", arguments: [0, 1])
    func emptyFile(length: Int) async throws {
        mkdir(kit.path, 0o700)
        try kit.replaceFile(with: [UInt8](repeating: 0, count: length))
        let ledger = try await kit.open()
        #expect(ledger.opening == .fresh)
        #expect(try await ledger.peers().values.isEmpty)
    }

    @Test("an empty file beside a full log is set aside with its log")
    func emptyFileFullLog() async throws {
        try await kit.fill()
        try kit.replaceFile(with: [])
        try kit.replaceFile("ledger.sqlite-wal", with: [1, 2, 3])
        #expect(try await kit.open().opening == .restored(kit.file + ".damaged-1"))
        #expect(kit.bytes(of: "ledger.sqlite.damaged-1-wal") == [1, 2, 3])
    }

    @Test("a text file in its place is set aside, not deleted, and the numbers count up")
    func textFile() async throws {
        mkdir(kit.path, 0o700)
        for number in 1...3 {
            let text = Array("my diary, volume \(number)".utf8)
            try kit.replaceFile(with: text)
            let aside = kit.file + ".damaged-\(number)"
            #expect(try await kit.open().opening == (number == 1 ? .setAside(aside) : .restored(aside)))
            #expect(kit.bytes(of: "ledger.sqlite.damaged-\(number)") == text)
            try await kit.open().pin(peerID(1))
        }
    }

    @Test("a folder in its place is set aside")
    func folderInPlace() async throws {
        mkdir(kit.path, 0o700)
        mkdir(kit.file, 0o700)
        #expect(try await kit.open().opening == .setAside(kit.file + ".damaged-1"))
        #expect(try kit.names().contains("ledger.sqlite.damaged-1"))
    }

    @Test("a database of another program is set aside")
    func foreign() async throws {
        mkdir(kit.path, 0o700)
        try kit.replaceFile(with: [])
        try kit.edit("CREATE TABLE songs (title TEXT); PRAGMA user_version = 1")
        #expect(try await kit.open().opening == .setAside(kit.file + ".damaged-1"))
    }

    @Test(
        "a ledger that lacks a table, or has another in its place, is set aside",
        arguments: [
            "DROP TABLE audit", "DROP INDEX peers_by_name",
            "DROP TABLE settings; CREATE TABLE settings (word TEXT) STRICT",
            "ALTER TABLE peers RENAME COLUMN policy TO opinion", "PRAGMA user_version = 0",
            "PRAGMA application_id = 7",
        ] as [ScriptForTest]
    )
    func otherSchema(script: ScriptForTest) async throws {
        try await kit.fill()
        try kit.edit(script.text)
        #expect(try await kit.open().opening == .restored(kit.file + ".damaged-1"))
        #expect(try await kit.open().opening == .opened)
    }

    @Test("while somebody else has a damaged one open, it is not taken away")
    func damagedInUse() async throws {
        try await kit.fill()
        let user = try await kit.open()
        try await user.pin(peerID(99))
        try kit.edit("DROP TABLE audit")
        #expect(await code { _ = try await kit.open() } == LedgerError.damagedCode)
        #expect(try kit.names().allSatisfy { !$0.contains("damaged") })
        withExtendedLifetime(user) {}
    }

    @Test("many that open a new one at once all get the same one")
    func manyAtOnce() async throws {
        try await withThrowingTaskGroup(of: Ledger.self) { group in
            for number in 0..<8 as Range<UInt8> {
                group.addTask {
                    let ledger = try await kit.open()
                    try await ledger.pin(peerID(number))
                    return ledger
                }
            }
            var ledgers: [Ledger] = []
            for try await ledger in group { ledgers.append(ledger) }
            #expect(ledgers.count { $0.opening == .fresh } == 1)
            for ledger in ledgers { #expect(try await ledger.peers().values.count == 8) }
        }
    }

    @Test("while another opening holds the lock, one waits, and goes on when it is given back")
    func waitsForOpening() async throws {
        mkdir(kit.path, 0o700)
        let folder = try LedgerFolder(at: kit.path)
        var lock: FileLock? = FileLock(try folder.openCompanion(LedgerFolder.lockName))
        #expect(lock?.take(.alone) == true)
        async let ledger = kit.open()
        lock = nil
        #expect(try await ledger.opening == .fresh)
    }

    private func mode(of path: String) -> UInt32? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : nil
    }
}

/// A script as the argument of a test.
struct ScriptForTest: ExpressibleByStringLiteral, Sendable, CustomTestStringConvertible {
    let text: StaticString
    init(stringLiteral text: StaticString) { self.text = text }
    var testDescription: String { text.description }
}
