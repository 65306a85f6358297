import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// The file that says which change of a set is under way and how far it has come. Every word of it is flushed before what it
/// announces begins.
final class ApplyJournal {
    /// How far a change has come. One byte each, behind the plan, but for one of two: a byte is there or it is not.
    enum Mark: UInt8 {
        /// The set itself changes from here on.
        case changing = 0x63
        /// The change stands.
        case committed = 0x64
        /// The set is as it was.
        case takenBack = 0x65
        /// The old folder gets what programs have done in the new one, and then its place. Behind it stands that the set changes, which is all
        /// that older programs know; what is between the two folders then they leave to a person.
        case takingBack = 0x66

        fileprivate var bytes: [UInt8] {
            self == .takingBack ? [rawValue, Self.changing.rawValue] : [rawValue]
        }

        fileprivate init?(endOf marks: some BidirectionalCollection<UInt8>) {
            guard let last = marks.last, let mark = Mark(rawValue: last) else { return nil }
            self = marks.suffix(2).elementsEqual(Self.takingBack.bytes) ? .takingBack : mark
        }

        /// The step that it is flushed for.
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
        guard let name = try? FileName("journal") else { preconditionFailure("letters make a name") }
        return AtomicFile(name)
    }()
    private static let maximumByteCount = 2 * Manifest.maximumByteCount + (1 << 20)

    let plan: ApplyPlan
    private(set) var mark: Mark?
    /// Whether a further mark could not be flushed: a crash may leave it or not.
    private(set) var isDoubtful = false
    private let descriptor: OwnedDescriptor
    private var end: UInt64
    private let failing: @Sendable (ApplyPoint) -> SystemError?

    /// Notes down a plan.
    ///
    /// - Parameter failing: what the disk says when a mark is flushed, where a test wants it to fail
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

    /// The one that a crash left; nil where there is none.
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
            // Never may the journal end with a byte that older programs don't know.
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

    /// Nobody may act on a mark that a power cut could still take away or bring back: where flushing it failed before, what was read here is
    /// not what the disk has.
    func confirm() throws(SystemError) {
        guard let mark else { return }
        do throws(SystemError) { try write(mark, at: end - UInt64(mark.bytes.count)) } catch {
            // What a full disk can't take a second time it has.
            guard [ENOSPC, EDQUOT].contains(error.number) else { throw error }
        }
    }

    private func write(_ mark: Mark, at place: UInt64) throws(SystemError) {
        try mark.bytes.lent { byte throws(SystemError) in try descriptor.write(byte, at: place) }
        if let error = failing(mark.point) { throw error }
        try descriptor.sync()
    }

    /// The change is over, one way or the other.
    static func remove(from notes: borrowing Folder) throws(SystemError) {
        try notes.remove(file.name)
        try notes.sync()
    }
}
