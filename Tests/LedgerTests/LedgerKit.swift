import Database
import Glibc
@testable import Ledger
import LinuxPlatform
import TestSupport
import Vocabulary

/// A ledger in a folder of its own, which is removed with the value.
struct LedgerKit {
    let temporary = TemporaryFolder()
    var path: String { temporary.path(of: "ledger") }
    var file: String { path + "/ledger.sqlite" }

    func open() async throws -> Ledger { try await Ledger.open(at: path) }
}

/// A peer whose id begins with one byte; all other bytes have another value.
func peerID(_ first: UInt8, _ rest: UInt8 = 0) -> PeerID {
    guard let id = PeerID(bytes: [first] + [UInt8](repeating: rest, count: 31)) else { preconditionFailure("32 bytes") }
    return id
}

func someTime(_ seconds: Int64) -> WallTime { WallTime(secondsSince1970: 1_700_000_000 + seconds) }

/// The code of the error of a piece of work; nil if it succeeds.
func code(of work: () async throws -> Void) async -> ErrorCode? {
    do {
        try await work()
        return nil
    } catch {
        return (error as? any ExplainedError)?.code ?? "test.unexplained"
    }
}

extension LedgerKit {
    /// Replaces the file of the database with these bytes, without SQLite.
    func replaceFile(_ name: String = "ledger.sqlite", with bytes: [UInt8]) throws {
        let descriptor = try retrying("open") {
            Glibc.open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        let owned = OwnedDescriptor(takingOwnershipOf: descriptor)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try retrying("write") { rest.withUnsafeBytes { write(owned.number, $0.baseAddress, $0.count) } }
            rest = rest.dropFirst(count)
        }
    }

    /// The contents of a file in the ledger's folder; nil if there is none.
    func bytes(of name: String = "ledger.sqlite") -> [UInt8]? {
        let descriptor = Glibc.open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let owned = OwnedDescriptor(takingOwnershipOf: descriptor)
        var (found, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
        while true {
            let count = read(owned.number, &chunk, chunk.count)
            guard count > 0 else { return found }
            found += chunk.prefix(count)
        }
    }

    /// Changes the file as a user with the `sqlite3` tool would, while no ledger of this process has it open.
    func edit(_ script: StaticString) throws {
        try LedgerDatabase(at: file).execute(script)
    }

    /// A ledger with entries of each kind, closed again.
    func fill() async throws {
        let ledger = try await open()
        for number in 0..<40 as Range<UInt8> {
            try await ledger.pin(peerID(number), name: InstanceName("peer \(number)"))
            try await ledger.note("peer.pinned", about: peerID(number), [.init("why", "a test")])
        }
        try await ledger.setDefaultPolicy(.block)
    }

    func names() throws -> [String] {
        try Folder(at: path).entries(limit: 100).compactMap(\.name?.text).sorted()
    }
}

extension InboxRecords {
    /// All items, the newest first.
    func all() async throws -> [InboxItem] {
        var items: [InboxItem] = []
        for number in try await numbers().reversed() {
            if let item = try await item(number) { items.append(item) }
        }
        return items
    }
}
