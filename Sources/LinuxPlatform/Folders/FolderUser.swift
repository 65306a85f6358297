import CLinux
import Glibc
public import Vocabulary

/// Programs that have their working folder in a folder, or have it open. Their relative names mean that folder, even if
/// another one takes its place.
public enum FolderUser {
    /// True if another program has its working folder or an open file in a folder or below it, as far as `/proc` shows.
    /// It checks every descriptor of every program of this user.
    ///
    /// - Parameter name: the folder's name. A place on another file system whose path has no folder of that name is not
    ///   asked: its disk may not answer. The name alone would not suffice, as a container may have another name for the
    ///   folder.
    public static func exists(in folder: FileIdentity, named name: FileName) -> Bool {
        ProcessFiles.processes.contains { process in
            process != getpid()
                && places(of: process).contains { mayLie($0, in: folder, named: name) && lies($0, in: folder) }
        }
    }

    /// The program's working folder, and everything that it has open.
    private static func places(of process: Int32) -> [String] {
        let numbers = (try? Folder(at: "/proc/\(process)/fd").entries(limit: 1 << 22)) ?? []
        return ["/proc/\(process)/cwd"]
            + numbers.map { "/proc/\(process)/fd/\(String(decoding: $0.bytes, as: UTF8.self))" }
    }

    private static func mayLie(_ place: String, in folder: FileIdentity, named name: FileName) -> Bool {
        var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(place, &path, path.count)
        // For a socket or a pipe, the target is no path.
        guard count > 0, path[0] == UInt8(ascii: "/") else { return false }
        var device: UInt64 = 0
        return huddle_cached_device(place, &device) == 0 && device == folder.device
            || path[..<count].split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(name.bytes) }
    }

    /// Walks upwards from the path, as the program itself would: it may see other mounts than this process.
    private static func lies(_ path: String, in folder: FileIdentity) -> Bool {
        var (path, last) = (path, FileIdentity?.none)
        for _ in 0..<Self.deepest {
            guard let facts = try? FileFacts(at: path), facts.kind == .folder, facts.identity != last else {
                return false
            }
            if facts.identity == folder { return true }
            last = facts.identity
            path += "/.."
        }
        return false
    }

    private static let deepest = 64
}
