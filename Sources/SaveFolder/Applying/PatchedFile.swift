import LinuxPlatform
import SaveRules

/// A file that a change writes to where it is. Whoever opens it waits for as long as this lives: until the change stands or is taken back.
final class PatchedFile {
    private let lease: FileLease
    /// How this change has left it; nil while it is being written to.
    private var left: FileFacts?

    init(_ lease: consuming FileLease) throws(SystemError) {
        left = try lease.file.facts()
        self.lease = lease
    }

    /// Whether somebody waits for it.
    var isWanted: Bool { lease.isWanted }

    /// Whether it is a file as it was seen before.
    func isLike(_ before: FileFacts) -> Bool { left == before }

    /// Whether nobody else can have written to it. Who has waited for so long that the kernel let him through may have.
    func isUntouched() throws(SystemError) -> Bool {
        guard lease.isWanted, let left else { return true }
        return try lease.file.facts() == left
    }

    /// Does something to it.
    func write(_ body: (borrowing OwnedDescriptor) throws -> Void) throws {
        left = nil
        try body(lease.file)
        left = try lease.file.facts()
    }
}
