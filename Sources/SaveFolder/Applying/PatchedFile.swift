import LinuxPlatform
import SaveRules

/// A file that a change writes to in place. A program that opens it waits while this object lives: until the change is
/// final or undone.
final class PatchedFile {
    private let lease: FileLease
    /// The file's facts after this change; nil during a write.
    private var left: FileFacts?

    init(_ lease: consuming FileLease) throws(SystemError) {
        left = try lease.file.facts()
        self.lease = lease
    }

    /// True if a program waits for it.
    var isWanted: Bool { lease.isWanted }

    /// True if the file is as it was seen before.
    func isLike(_ before: FileFacts) -> Bool { left == before }

    /// True if no other program can have written to it. A program that waited until the kernel ended the lease may
    /// have.
    func isUntouched() throws(SystemError) -> Bool {
        guard lease.isWanted, let left else { return true }
        return try lease.file.facts() == left
    }

    /// Writes to it.
    func write(_ body: (borrowing OwnedDescriptor) throws -> Void) throws {
        left = nil
        try body(lease.file)
        left = try lease.file.facts()
    }
}
