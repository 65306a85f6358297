import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// The file that says which change of a set is under way and how far it has come. Every word of it is flushed before what it
/// announces begins.
final class ApplyJournal {
    /// How far a change has come. One byte each, behind the plan: a byte is there or it is not.
    enum Mark: UInt8 {
        /// The set itself changes from here on.
        case changing = 0x63
        /// The change stands.
        case committed = 0x64
        /// The set is as it was.
        case takenBack = 0x65
    }

    private static let file: AtomicFile = {
        guard let name = try? FileName("journal") else { preconditionFailure("letters make a name") }
        return AtomicFile(name)
    }()
    private static let maximumByteCount = 2 * Manifest.maximumByteCount + (1 << 20)

    let plan: ApplyPlan
    private(set) var mark: Mark?
    private let descriptor: OwnedDescriptor
    private var end: UInt64

    /// Notes down a plan.
    init(_ plan: ApplyPlan, in notes: borrowing Folder) throws(SystemError) {
        let bytes = plan.encoded
        try Self.file.write(bytes, in: notes, overwriting: .forbidden)
        self.plan = plan
        descriptor = try notes.open(Self.file.name, for: .readingAndWriting)
        end = UInt64(bytes.count)
    }

    /// The one that a crash left; nil where there is none.
    init?(leftIn notes: borrowing Folder, path: String) throws(SaveFolderError) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Self.file.read(in: notes, limit: Self.maximumByteCount)
        } catch let error where error.number == ENOENT {
            return nil
        } catch {
            throw .damagedJournal("\(path)/\(Self.file.name)", cause: error)
        }
        guard let (plan, count) = ApplyPlan.decode(bytes) else {
            throw .damagedJournal("\(path)/\(Self.file.name)")
        }
        self.plan = plan
        mark = bytes[count...].last.flatMap(Mark.init)
        end = UInt64(bytes.count)
        descriptor = try explaining(path) { () throws(SystemError) in
            try notes.open(Self.file.name, for: .readingAndWriting)
        }
    }

    func note(_ mark: Mark) throws(SystemError) {
        var failure: SystemError?
        withUnsafeBytes(of: mark.rawValue) { byte in
            do throws(SystemError) { try descriptor.write(byte, at: end) } catch { failure = error }
        }
        if let failure { throw failure }
        try descriptor.sync()
        end += 1
        self.mark = mark
    }

    /// The change is over, one way or the other.
    static func remove(from notes: borrowing Folder) throws(SystemError) {
        try notes.remove(file.name)
        try notes.sync()
    }
}
