import LinuxPlatform
import Vocabulary

/// Held by the one program of this identity that others come to. Two of them would share one name and one id, and what is
/// sent would come to the one or the other by chance.
final class PresenceLock: Sendable {
    private let descriptor: OwnedDescriptor

    init(in folder: String) throws {
        guard let name = try? FileName("present.lock") else { preconditionFailure("it obeys the rules of a name") }
        descriptor = try Folder(at: folder).openOrCreate(name)
        guard try descriptor.lockForWriting() else { throw CommandError.alreadyPresent }
    }
}
