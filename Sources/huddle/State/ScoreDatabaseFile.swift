import GameState
import LinuxPlatform
import SecureArchive
import Vocabulary

/// A game's database of high scores on disk, with the write-ahead log beside it.
struct ScoreDatabaseFile: Sendable {
    let file: StateFile
    let bytes: [UInt8]
    private let log: [UInt8]

    /// - Parameter bytes: the contents of the file
    init(_ file: StateFile, _ bytes: [UInt8]) async throws {
        if let size = file.size(ofCompanion: "-journal"), size > 0 {
            throw StateFile.inUse(file, "the game writes to it now, or was interrupted and must undo that first")
        }
        self.file = file
        self.bytes = bytes
        log = try await file.companion("-wal") ?? []
    }

    /// The scores as a tree.
    func tree() throws -> ArchiveValue {
        try explained { () throws(StateError) in try HighScores(readingDatabase: bytes, log: log) }.tree()
    }

    /// The bytes of this database with other scores in it.
    func replacing(_ scores: HighScores) throws -> [UInt8] {
        try explained { () throws(StateError) in try scores.replacing(inDatabase: bytes, log: log) }
    }

    private static func sentence(_ error: StateError) -> String {
        error.cause.map { "\(error.message) (\($0))" } ?? error.message
    }

    private func explained<Value>(_ body: () throws(StateError) -> Value) throws -> Value {
        do throws(StateError) {
            return try body()
        } catch {
            let sentence = Self.sentence(error)
            switch error.kind {
            case .damaged: throw StateFault(file: file, error: ArchiveError(.damaged, sentence))
            case .notAllowed: throw StateFault(file: file, error: ArchiveError(.notAllowed, sentence))
            case .tooLarge: throw StateFault(file: file, error: ArchiveError(.tooLarge, sentence))
            default: throw CommandError(error.code, "\(file.shown): \(sentence)", nextStep: error.nextStep)
            }
        }
    }
}
