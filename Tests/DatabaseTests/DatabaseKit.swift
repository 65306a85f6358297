import Database
import Glibc
import LinuxPlatform
import TestSupport
import Vocabulary

/// The errors of databases in these tests.
enum Trouble: Error, DatabaseFailure, Equatable {
    case failed(SQLiteFailure)
    case unreadable(UnreadableValue)

    init(_ failure: SQLiteFailure) { self = .failed(failure) }
    init(_ value: UnreadableValue) { self = .unreadable(value) }

    var failure: SQLiteFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }
}

typealias TestDatabase = Database<Trouble>

/// A database in a folder of its own, which is removed with the value.
struct DatabaseKit {
    let temporary = TemporaryFolder()
    var path: String { temporary.path(of: "scores.sqlite") }

    /// A file made by statements, as a game might have made it.
    func make(_ script: StaticString) throws {
        try temporary.put("", at: "scores.sqlite")
        let database = try TestDatabase(at: path)
        try database.execute(script)
        database.trust()
    }

    func bytes(of name: String = "scores.sqlite") throws -> [UInt8] {
        try AtomicFile(FileName(name)).read(in: temporary.opened(), limit: 1 << 24)
    }

    func image(limits: DatabaseLimits = DatabaseLimits()) throws -> TestDatabase {
        try TestDatabase(image: DatabaseImage(file: bytes(), limits: limits), limits: limits)
    }
}

extension TestDatabase {
    func names() throws(Trouble) -> [String] {
        var found: [String] = []
        try forEachRow("SELECT name AS name FROM scores ORDER BY rowid") { row throws(Trouble) in
            do throws(UnreadableValue) {
                found.append(try row.text("name"))
            } catch {
                throw Trouble(error)
            }
        }
        return found
    }
}

/// The error of a piece of work; nil if it succeeds.
func trouble(of work: () throws -> Void) -> SQLiteFailure? {
    do {
        try work()
        return nil
    } catch let error as SQLiteFailure {
        return error
    } catch {
        return (error as? Trouble)?.failure
    }
}
