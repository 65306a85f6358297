import Glibc
import LinuxPlatform
import Vocabulary

/// Reason why a folder must not be used until the daemon has repaired it.
public enum HalfChange: Sendable {
    /// It holds a part of one version and a part of another.
    case certain
    /// It may hold parts of two versions, because the journal of a change can't be read.
    case possible(SaveFolderError)

    /// Returns the games whose folders hold or may hold parts of two versions, by the IDs of their notes. Such a change
    /// was interrupted by a crash, or is in progress. Changes nothing.
    ///
    /// - Parameter places: the folder with one folder of notes for each game
    /// - Throws: if the notes can't be read
    public static func all(in places: String) throws(SaveFolderError) -> [String: HalfChange] {
        let entries: [FolderEntry]
        do throws(SystemError) {
            entries = try Folder(at: places).entries(limit: 100_000)
        } catch {
            // No game's folder was ever changed on this machine.
            if error.number == ENOENT { return [:] }
            throw SaveFolderError(error, at: places)
        }
        var halves: [String: HalfChange] = [:]
        for name in entries.map(\.printable) { halves[name] = halfChange(notedIn: "\(places)/\(name)") }
        return halves
    }

    private static func halfChange(notedIn notes: String) -> HalfChange? {
        let folder: Folder
        do throws(SystemError) {
            folder = try Folder(at: notes)
        } catch {
            return error.number == ENOENT ? nil : .possible(SaveFolderError(error, at: notes))
        }
        do throws(SaveFolderError) {
            guard let journal = try ApplyJournal(leftIn: folder, path: notes, failing: { _ in nil }) else { return nil }
            // An exchange of the whole folder is atomic.
            return journal.plan.way == .steps && journal.mark == .changing ? .certain : nil
        } catch {
            return .possible(error)
        }
    }
}
