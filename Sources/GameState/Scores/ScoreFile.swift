import Database
import Glibc
import LinuxPlatform
public import Vocabulary

/// A database of high scores on disk.
public struct ScoreFile: Sendable {
    /// The folder's path.
    public let folderPath: String
    /// The file in it.
    public let name: FileName

    /// Names a file, without access to it.
    public init(_ name: FileName, inFolderAt folderPath: String) {
        self.name = name
        self.folderPath = folderPath
    }

    /// Reads the scores in the file and in the log beside it. It neither changes nor locks them, so the game should not
    /// be running.
    public func scores() throws(StateError) -> HighScores {
        if let journal = try bytes(of: "-journal"), !journal.isEmpty {
            throw StateError(
                .database,
                "the game was interrupted while it wrote, and must undo that first; start it once"
            )
        }
        guard let file = try bytes(of: "") else { throw StateError(.missing, "there is no file “\(shownName)”") }
        return try HighScores(readingDatabase: file, log: try bytes(of: "-wal") ?? [])
    }

    /// Records scores by the rule that a name keeps its best: all of them or none, even after a crash. The game may be
    /// running.
    /// - Returns: the number of scores that changed anything
    @discardableResult
    public func record(_ scores: HighScores) throws(StateError) -> Int {
        guard try bytes(of: "") != nil else { throw StateError(.missing, "there is no file “\(shownName)”") }
        let database = try Database<StateError>(strangerAt: "\(folderPath)/\(name.text)")
        return try ScoreDatabase(database).record(scores.entries)
    }

    private var shownName: PrintableText { PrintableText(name.text) }

    /// Returns the bytes of a file; nil if it is missing.
    private func bytes(of ending: String) throws(StateError) -> [UInt8]? {
        guard let name = try? FileName(name.text + ending) else { return nil }
        do throws(SystemError) {
            return try AtomicFile(name).read(in: Folder(at: folderPath), limit: DatabaseLimits().bytes)
        } catch {
            if error.number == ENOENT { return nil }
            throw StateError(.database, "the file “\(PrintableText(name.text))” can't be read", cause: error)
        }
    }
}
