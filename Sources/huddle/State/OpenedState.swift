import CommandTable
import GameState
import LinuxPlatform
import SecureArchive
import Vocabulary

/// A save that this command has read, with its file.
struct OpenedState: Sendable {
    let file: StateFile
    var state: GameState
    /// The format of the file.
    let format: SaveFormat
    /// The database of high scores in the file; nil for other formats.
    private let database: ScoreDatabaseFile?

    /// Reads and checks a file, within the limits and the classes that the command line allows.
    init(_ path: String, _ given: GivenValues, raw: Bool = false) async throws {
        let file = StateFile(path: path)
        let schema = StateOptions.schema(given)
        let chosen = StateOptions.chosenFormat(given)
        self.file = file
        do {
            let bytes = try await file.read()
            if chosen == .scores || chosen == nil && HighScores.isDatabase(bytes) {
                let database = try await ScoreDatabaseFile(file, bytes)
                state = GameState(try await runBlocking("state") { try database.tree() })
                (format, self.database) = (.scores, database)
                return
            }
            state = try await runBlocking("state") {
                let wanted = try Self.format(of: bytes, chosen, raw: raw)
                return try GameState(reading: bytes, as: wanted, schema: schema, limits: Self.limits(for: bytes.count))
            }
        } catch let error as ArchiveError {
            throw StateFault(file: file, error: error)
        }
        (format, database) = (.archive(state.format ?? .json), nil)
    }

    /// The bytes of the save in a format. In a database of high scores, everything but the scores stays as it is.
    func bytes(as format: SaveFormat, _ conversion: Conversion = .none, _ given: GivenValues) throws -> [UInt8] {
        switch format {
        case .archive(let format):
            do throws(ArchiveError) {
                return try state.write(as: format, conversion, schema: StateOptions.schema(given))
            } catch {
                throw StateFault(file: file, error: error)
            }
        case .scores:
            let scores = try scores()
            return try database.map { try $0.replacing(scores) } ?? scores.database()
        }
    }

    /// The save as a list of high scores. Throws for any other value, since a database of high scores can't hold it.
    private func scores() throws -> HighScores {
        do throws(ModelFaults) {
            return try HighScores(reading: state.root)
        } catch {
            throw CommandError(
                ErrorCode(.inexpressible, "archive.inexpressible"),
                "\(file.shown): a database of high scores can't hold it: \(error.message)",
                nextStep:
                    """
                    such a database holds hiscores[N].name and hiscores[N].score only; write the save in another format
                    """
            )
        }
    }

    /// The limits that keep the whole program within 64 MiB beyond the file. The libraries of the program take a third
    /// of that, and reading gets the rest.
    private static func limits(for byteCount: Int) -> ArchiveLimits {
        var limits = ArchiveLimits()
        limits.memoryBeyondArchive = (38 << 20) - byteCount
        return limits
    }

    private static func format(of bytes: [UInt8], _ chosen: SaveFormat?, raw: Bool) throws -> ArchiveFormat? {
        let chosen: ArchiveFormat? = if case .archive(let format)? = chosen { format } else { nil }
        guard raw else { return chosen }
        switch try chosen ?? ArchiveFormat(sniffing: bytes) {
        case .keyedArchive(.binary): return .binaryPropertyList
        case .keyedArchive(.xml): return .xmlPropertyList
        case let other: return other
        }
    }
}
