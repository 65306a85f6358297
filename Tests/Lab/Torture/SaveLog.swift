import Glibc
import LinuxPlatform

/// The log of a game's saves outside of the broken disks: the start of each save, and then its stamp. Every version of
/// a daemon must be one of these.
struct SaveLog: Sendable {
    private static let begun = "begun"
    let path: String

    /// Notes the start of a save, before anything in the folder changes.
    func begin() throws { try add(Self.begun) }

    /// Notes the stamp of a save, before the part is written that makes it whole.
    ///
    /// - Parameter stamp: the later value of ``GameTree/stamp``
    func note(_ stamp: String) throws { try add(stamp) }

    /// The stamps since the log was emptied, and true if a save has begun; empty if none has.
    func read() throws -> (hasBegun: Bool, stamps: Set<String>) {
        guard access(path, F_OK) == 0 else { return (false, []) }
        let lines = String(decoding: try PlainFile.read(path), as: UTF8.self).split(separator: "\n").map(String.init)
        return (!lines.isEmpty, Set(lines).subtracting([Self.begun]))
    }

    func empty() throws { try PlainFile.write([], to: path) }

    private func add(_ line: String) throws {
        let number = try retrying("open", on: path) { open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) }
        let file = OwnedDescriptor(takingOwnershipOf: number)
        // because appending ignores the offset
        try PlainFile.write(Array("\(line)\n".utf8), into: file)
    }
}
