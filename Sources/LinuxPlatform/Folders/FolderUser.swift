import CLinux
import Glibc
public import Vocabulary

/// Programs that stand in a folder, or have it open: what they name from there on means that folder, and not one that takes its place.
public enum FolderUser {
    /// Whether another program than this one stands in a folder or in one below it, as far as `/proc` shows. It is a look at every descriptor of every program of this
    /// user.
    ///
    /// - Parameter name: what the folder is called. What lies on another file system, and not in a folder of that name, is asked for nothing: it may be on a disk
    ///   that doesn't answer. The name alone would not do, as in a container the folder may have another.
    public static func exists(in folder: FileIdentity, named name: FileName) -> Bool {
        ProcessFiles.processes.contains { process in
            process != getpid()
                && places(of: process).contains { mayLie($0, in: folder, named: name) && lies($0, in: folder) }
        }
    }

    /// Its working folder, and all that it has open.
    private static func places(of process: Int32) -> [String] {
        let numbers = (try? Folder(at: "/proc/\(process)/fd").entries(limit: 1 << 22)) ?? []
        return ["/proc/\(process)/cwd"]
            + numbers.map { "/proc/\(process)/fd/\(String(decoding: $0.bytes, as: UTF8.self))" }
    }

    private static func mayLie(_ place: String, in folder: FileIdentity, named name: FileName) -> Bool {
        var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(place, &path, path.count)
        // Of a socket or a pipe it is no path.
        guard count > 0, path[0] == UInt8(ascii: "/") else { return false }
        var device: UInt64 = 0
        return huddle_cached_device(place, &device) == 0 && device == folder.device
            || path[..<count].split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(name.bytes) }
    }

    /// Upwards from there, as the program itself would go: it may see other mounts than we do.
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
