import GameState
import LinuxPlatform
import SecureArchive
import Vocabulary
import Workbench

/// A real for a test.
func real(_ value: Double) -> ArchiveValue {
    guard let real = ArchiveReal(value) else { preconditionFailure("\(value) is finite") }
    return .real(real)
}

/// A whole number for a test.
func whole(_ value: Int) -> ArchiveValue { .integer(ArchiveInteger(value)) }

/// A date for a test.
func date(_ secondsSince1970: Double) -> ArchiveValue {
    guard let date = ArchiveDate(secondsSince1970: secondsSince1970) else { preconditionFailure("a date of our time") }
    return .date(date)
}

extension GameState {
    init(_ fields: ArchiveFields) { self.init(.dictionary(fields)) }
}

/// A file that another program has made; `Fixtures/make.py` says how.
func fixture(_ name: String) throws -> [UInt8] {
    let folder = try Folder(at: Repository.root + "/Tests/GameStateTests/Fixtures")
    return try AtomicFile(FileName(name)).read(in: folder, limit: 1 << 20)
}

/// The error of a piece of work, in words; nil if there is none.
func words(of work: () throws -> Void) -> String? {
    do {
        try work()
        return nil
    } catch {
        return (error as? any ExplainedError)?.message ?? "\(error)"
    }
}
