import FoundationEssentials
import Glibc
import LinuxPlatform

/// The inotify watches and queues that are in use.
struct WatchUse: Sendable {
    private(set) var watches = 0
    private(set) var queues = 0
    /// True if the count includes a huddled. A huddled hides its open files from all users but root.
    private(set) var includesDaemon = false

    /// The number of folders at which the count stops. With more folders, the exact number does not matter.
    private static let mostFolders = 200_000
    private static let mostEntries = 100_000

    /// Counts the watches of this user's programs, as far as this user may read them.
    static func ofThisUser() -> WatchUse {
        var use = WatchUse()
        guard let processes = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else { return use }
        for process in processes where Int(process) != nil {
            var raw = stat()
            guard stat("/proc/\(process)", &raw) == 0, raw.st_uid == getuid() else { continue }
            guard let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd") else {
                continue
            }
            let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
            use.includesDaemon = use.includesDaemon || name == "huddled\n"
            for file in files where isQueue("/proc/\(process)/fd/\(file)") {
                use.queues += 1
                let lines = try? String(contentsOfFile: "/proc/\(process)/fdinfo/\(file)", encoding: .utf8)
                use.watches += lines?.split(separator: "\n").count { $0.hasPrefix("inotify ") } ?? 0
            }
        }
        return use
    }

    private static func isQueue(_ path: String) -> Bool {
        var room = [CChar](repeating: 0, count: 64)
        let count = readlink(path, &room, room.count)
        return count > 0 && room.prefix(count).elementsEqual("anon_inode:inotify".utf8.map { CChar($0) })
    }

    /// Counts the folders in a tree, with its root. It does not follow links.
    static func folders(below path: String) -> Int {
        var open = [path]
        var count = 0
        while let next = open.popLast(), count < mostFolders {
            guard let folder = try? Folder(at: next) else { continue }
            count += 1
            for entry in (try? folder.entries(limit: mostEntries)) ?? [] where entry.kind == .folder {
                if let name = entry.name { open.append("\(next)/\(name)") }
            }
        }
        return count
    }
}
