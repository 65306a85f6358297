import Glibc
import LinuxPlatform
import Vocabulary

/// Why a set's folder is not to be used until whoever keeps it begins anew.
public enum HalfChange: Sendable {
    /// It holds half of one version and half of another.
    case certain
    /// It may: what was noted of a change can't be read.
    case possible(SaveFolderError)
}

extension SaveFolder {
    /// The sets, by the ids that their notes are called, whose folders are half of one version and half of another, or may be: a crash has left them so, or they are being
    /// changed. Changes nothing.
    /// - Parameter places: a folder with one for what is remembered of each set's place
    /// - Throws: where it can't be said of any
    public static func halfChanged(in places: String) throws(SaveFolderError) -> [String: HalfChange] {
        let entries: [FolderEntry]
        do throws(SystemError) {
            entries = try Folder(at: places).entries(limit: 100_000)
        } catch {
            // Nobody has changed any set here.
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
            // Where the whole folder is exchanged it is one or the other at any moment.
            return journal.plan.way == .steps && journal.mark == .changing ? .certain : nil
        } catch {
            return .possible(error)
        }
    }
}
