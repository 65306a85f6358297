import CLinux
import Glibc

/// A program that has a file open for writing.
public struct FileWriter: Hashable, Sendable {
    /// The process number.
    public let process: Int32
    /// The name that the program gives itself, of which the kernel keeps 15 bytes. It is untrusted.
    public let program: String
    /// The file that it has open.
    public let file: FileIdentity
}

extension FileWriter {
    /// Finds the programs that have one of the files open for writing, or mapped so that they can write, as `/proc`
    /// shows them.
    ///
    /// It does not see programs of other users, nor a mapping on file systems that give it another number than the file
    /// (btrfs). It checks every descriptor of every program. So use it only to name the writer to a user, and for files
    /// without ``FileLease``.
    public static func all(of files: Set<FileIdentity>) -> [FileWriter] {
        ProcessFiles.processes.flatMap { all(of: files, process: $0) }
    }

    private static func all(of files: Set<FileIdentity>, process: Int32) -> [FileWriter] {
        let found = opened(files, process).union(mapped(files, process))
        guard !found.isEmpty else { return [] }
        let name = ProcessFiles.text("/proc/\(process)/comm").prefix { $0 != "\n" }
        return found.sorted { ($0.device, $0.inode) < ($1.device, $1.inode) }
            .map { FileWriter(process: process, program: String(name), file: $0) }
    }

    private static func opened(_ files: Set<FileIdentity>, _ process: Int32) -> Set<FileIdentity> {
        // A process that can't be listed belongs to another user, or has ended.
        guard let numbers = try? Folder(at: "/proc/\(process)/fd").entries(limit: 1 << 22) else { return [] }
        var found: Set<FileIdentity> = []
        for entry in numbers {
            let number = String(decoding: entry.bytes, as: UTF8.self)
            guard let facts = try? FileFacts(at: "/proc/\(process)/fd/\(number)"), files.contains(facts.identity)
            else { continue }
            if isForWriting(ProcessFiles.text("/proc/\(process)/fdinfo/\(number)")) { found.insert(facts.identity) }
        }
        return found
    }

    private static func isForWriting(_ info: String) -> Bool {
        guard let line = info.split(separator: "\n").first(where: { $0.hasPrefix("flags:") }),
            let word = line.split(whereSeparator: \.isWhitespace).last, let flags = Int64(word, radix: 8)
        else { return false }
        return flags & Int64(O_ACCMODE) != Int64(O_RDONLY)
    }

    /// Lines such as `7f…-7f… rw-s 00000000 fe:00 4711 /home/…`.
    private static func mapped(_ files: Set<FileIdentity>, _ process: Int32) -> Set<FileIdentity> {
        var found: Set<FileIdentity> = []
        for line in ProcessFiles.text("/proc/\(process)/maps").split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard words.count >= 5, words[1].hasSuffix("s"), words[1].contains("w"), let inode = UInt64(words[4]) else {
                continue
            }
            let numbers = words[3].split(separator: ":").compactMap { UInt32($0, radix: 16) }
            guard numbers.count == 2 else { continue }
            let file = FileIdentity(device: UInt64(huddle_device(numbers[0], numbers[1])), inode: inode)
            if files.contains(file) { found.insert(file) }
        }
        return found
    }
}
