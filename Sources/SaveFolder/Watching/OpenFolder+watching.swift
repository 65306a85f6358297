import Glibc
import LinuxPlatform
import Vocabulary

extension OpenFolder {
    /// Nil if the folder is missing, or can't be entered.
    convenience init?(at path: String) {
        guard let folder = try? Folder(at: path) else { return nil }
        self.init(folder)
    }

    func opened(_ name: FileName) -> OpenFolder? {
        guard let folder = try? self.folder.openFolder(name) else { return nil }
        return OpenFolder(folder)
    }

    func opened(beneath names: [FileName]) -> OpenFolder? {
        guard let folder = try? self.folder.openFolder(beneath: names) else { return nil }
        return OpenFolder(folder)
    }

    /// Nil if the folder is missing, or can't be entered.
    ///
    /// - Throws: if this can't be determined now
    static func opened(_ path: String) throws(SaveFolderError) -> OpenFolder? {
        do throws(SystemError) { return OpenFolder(try Folder(at: path)) } catch {
            guard [EMFILE, ENFILE, ENOMEM, EIO].contains(error.number) else { return nil }
            throw SaveFolderError(error, at: path)
        }
    }
}

extension Inotify.Events {
    static let within: Self = [
        .attributes, .written, .closedAfterWriting, .created, .removed, .movedIn, .movedOut, .selfRemoved, .selfMoved,
    ]
    static let onTheWay: Self = [.selfMoved, .selfRemoved]
    static let atTheEnd: Self = [.created, .removed, .movedIn, .movedOut, .selfMoved, .selfRemoved]
}

extension FileFacts {
    /// True unless nothing is at the path, or something else than a folder. A disk may give an error just now.
    static func mayBeFolder(at path: String) -> Bool {
        do throws(SystemError) {
            return try FileFacts(at: path).kind == .folder
        } catch {
            return ![ENOENT, ENOTDIR].contains(error.number)
        }
    }
}
