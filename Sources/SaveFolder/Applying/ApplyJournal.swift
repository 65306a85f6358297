import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// The file with the change of a folder in progress, and its state. Each mark is flushed before the step that it
/// announces.
final class ApplyJournal {
    /// A state of a change: one byte after the plan, or two for ``takingBack``. After a crash, a byte is present or
    /// not.
    enum Mark: UInt8 {
        /// The folder itself changes from now on.
        case changing = 0x63
        /// The change is final.
        case committed = 0x64
        /// The folder is in its previous state.
        case takenBack = 0x65
        /// The old folder receives the writes that programs made in the new one, and then returns to its place. The
        /// mark “changing” follows, the only one that older programs know. They leave the two folders to the user.
        case takingBack = 0x66

        fileprivate var bytes: [UInt8] {
            self == .takingBack ? [rawValue, Self.changing.rawValue] : [rawValue]
        }

        fileprivate init?(endOf marks: some BidirectionalCollection<UInt8>) {
            guard let last = marks.last, let mark = Mark(rawValue: last) else { return nil }
            self = marks.suffix(2).elementsEqual(Self.takingBack.bytes) ? .takingBack : mark
        }

        /// The failpoint of its flush.
        fileprivate var point: ApplyPoint {
            switch self {
            case .changing: .announced
            case .committed: .committed
            case .takenBack: .takenBack
            case .takingBack: .takingBack
            }
        }
    }

    private static let file: AtomicFile = {
        guard let name = try? FileName("journal") else { preconditionFailure("letters are a valid name") }
        return AtomicFile(name)
    }()
    private static let maximumByteCount = 2 * Manifest.maximumByteCount + (1 << 20)

    let plan: ApplyPlan
    private(set) var mark: Mark?
    /// True if flushing a further mark failed: after a crash it may be present or not.
    private(set) var isDoubtful = false
    private let descriptor: OwnedDescriptor
    private var end: UInt64
    private let failing: @Sendable (ApplyPoint) -> SystemError?

    /// Writes a plan.
    ///
    /// - Parameter failing: the error of the disk at the flush of a mark, for tests
    init(
        _ plan: ApplyPlan,
        in notes: borrowing Folder,
        failing: @escaping @Sendable (ApplyPoint) -> SystemError?
    ) throws(SystemError) {
        self.failing = failing
        let bytes = plan.encoded
        try Self.file.write(bytes, in: notes, overwriting: .forbidden)
        self.plan = plan
        descriptor = try notes.open(Self.file.name, for: .readingAndWriting)
        end = UInt64(bytes.count)
    }

    /// The journal that a crash left; nil if there is none.
    init?(
        leftIn notes: borrowing Folder,
        path: String,
        failing: @escaping @Sendable (ApplyPoint) -> SystemError?
    ) throws(SaveFolderError) {
        self.failing = failing
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
        mark = Mark(endOf: bytes[count...])
        end = UInt64(bytes.count)
        descriptor = try explaining(path) { () throws(SystemError) in
            try notes.open(Self.file.name, for: .readingAndWriting)
        }
    }

    func note(_ mark: Mark) throws(SystemError) {
        isDoubtful = true
        if mark == .takingBack {
            // The journal must never end with a byte that older programs don't know.
            try write(.changing, at: end)
            end += 1
            try write(mark, at: end - 2)
        } else {
            try write(mark, at: end)
            end += 1
        }
        self.mark = mark
        isDoubtful = false
    }

    /// Flushes the journal again. No step may follow a mark that a power cut could still remove or restore: after a
    /// failed flush, the content in memory may differ from the disk.
    func confirm() throws(SystemError) {
        guard let mark else { return }
        do throws(SystemError) { try write(mark, at: end - UInt64(mark.bytes.count)) } catch {
            // If the disk was full at the second write, it has the first one.
            guard [ENOSPC, EDQUOT].contains(error.number) else { throw error }
        }
    }

    private func write(_ mark: Mark, at place: UInt64) throws(SystemError) {
        try mark.bytes.lent { byte throws(SystemError) in try descriptor.write(byte, at: place) }
        if let error = failing(mark.point) { throw error }
        try descriptor.sync()
    }

    /// Removes the journal of a change that has ended.
    static func remove(from notes: borrowing Folder) throws(SystemError) {
        try notes.remove(file.name)
        try notes.sync()
    }
}
