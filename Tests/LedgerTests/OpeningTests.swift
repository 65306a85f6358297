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

    @Test("Only its owner can read a new ledger and the folders that are made for it")
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

    @Test("A file that other users can read is made private")
    func looseMode() async throws {
        try await kit.fill()
        chmod(kit.file, 0o644)
        _ = try await kit.open()
        #expect(mode(of: kit.file) == 0o600)
    }

    @Test("A folder that other users may write to is refused")
    func looseFolder() async throws {
        mkdir(kit.path, 0o777)
        chmod(kit.path, 0o777)
        #expect(await code { _ = try await kit.open() } == "ledger.folder-open-to-others")
        chmod(kit.path, 0o755)
        #expect(try await kit.open().opening == .fresh)
    }

    @Test("A file in place of the folder is refused, and stays")
    func fileInsteadOfFolder() async throws {
        try kit.temporary.put("mine", at: "ledger")
        #expect(await code { _ = try await kit.open() } == LedgerError.cannotOpenCode)
        #expect(kit.temporary.text(at: "ledger") == "mine")
    }

    @Test("A newer format is refused with the next step, and stays unchanged")
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

    @Test("An empty file, as after a kill right after it was made, is a fresh start", arguments: [0, 1])
    func emptyFile(length: Int) async throws {
        mkdir(kit.path, 0o700)
        try kit.replaceFile(with: [UInt8](repeating: 0, count: length))
        let ledger = try await kit.open()
        #expect(ledger.opening == .fresh)
        #expect(try await ledger.peers().values.isEmpty)
    }

    @Test("An empty file beside a full log is set aside with its log")
    func emptyFileFullLog() async throws {
        try await kit.fill()
        try kit.replaceFile(with: [])
        try kit.replaceFile("ledger.sqlite-wal", with: [1, 2, 3])
        #expect(try await kit.open().opening == .restored(kit.file + ".damaged-1"))
        #expect(kit.bytes(of: "ledger.sqlite.damaged-1-wal") == [1, 2, 3])
    }

    @Test("A text file in place of the ledger is set aside under the next number")
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

    @Test("A folder in place of the ledger is set aside")
    func folderInPlace() async throws {
        mkdir(kit.path, 0o700)
        mkdir(kit.file, 0o700)
        #expect(try await kit.open().opening == .setAside(kit.file + ".damaged-1"))
        #expect(try kit.names().contains("ledger.sqlite.damaged-1"))
    }

    @Test("A database of another program is set aside")
    func foreign() async throws {
        mkdir(kit.path, 0o700)
        try kit.replaceFile(with: [])
        try kit.edit("CREATE TABLE songs (title TEXT); PRAGMA user_version = 1")
        #expect(try await kit.open().opening == .setAside(kit.file + ".damaged-1"))
    }

    @Test(
        "A ledger with a missing or different table is set aside",
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

    @Test("A damaged ledger stays while another program has it open")
    func damagedInUse() async throws {
        try await kit.fill()
        let user = try await kit.open()
        try await user.pin(peerID(99))
        try kit.edit("DROP TABLE audit")
        #expect(await code { _ = try await kit.open() } == LedgerError.damagedCode)
        #expect(try kit.names().allSatisfy { !$0.contains("damaged") })
        withExtendedLifetime(user) {}
    }

    @Test("Many programs that open a new ledger at once get the same one")
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

    @Test("An opening waits for the lock of another one, and continues after it")
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
