import Glibc
import LinuxPlatform

/// What a game notes down of each saving, beside the disks that are broken: that it begins to save, and then which
/// saving it will have been. Whatever a daemon takes for a save has to be one of these.
struct SaveLog: Sendable {
    private static let begun = "begun"
    let path: String

    /// Before anything in the folder changes.
    func begin() throws { try add(Self.begun) }

    /// Before that which makes the saving whole is written.
    /// - Parameter stamp: as ``GameTree/stamp`` will be
    func note(_ stamp: String) throws { try add(stamp) }

    /// Which savings games have made since it was emptied, and whether one has begun to save; nothing where none has.
    func read() throws -> (hasBegun: Bool, stamps: Set<String>) {
        guard access(path, F_OK) == 0 else { return (false, []) }
        let lines = String(decoding: try PlainFile.read(path), as: UTF8.self).split(separator: "\n").map(String.init)
        return (!lines.isEmpty, Set(lines).subtracting([Self.begun]))
    }

    func empty() throws { try PlainFile.write([], to: path) }

    private func add(_ line: String) throws {
        let number = try retrying("open", on: path) { open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) }
        let file = OwnedDescriptor(takingOwnershipOf: number)
        // because appending goes to the end whatever the place that is said
        try PlainFile.write(Array("\(line)\n".utf8), into: file)
    }
}
