import Glibc
import History
import LinuxPlatform
import SaveRules
import Vocabulary

/// One change of a set's folder on its way: what both ways of changing it need.
final class SetChange {
    /// Somebody changed the set meanwhile.
    struct Overtaken: Error {}
    /// Somebody has a file open that would change.
    struct InUse: Error { let writers: [FileWriter] }

    let plan: ApplyPlan
    let journal: ApplyJournal
    let root: SetRoot
    let place: SetPlace
    let staging: FileName
    let observe: @Sendable (ApplyPoint) -> Void

    init(_ journal: ApplyJournal, _ root: SetRoot, _ folder: SaveFolder) {
        (plan, self.journal, self.root) = (journal.plan, journal, root)
        (place, staging, observe) = (folder.place, StagingName.of(folder.set, at: journal.plan.root), folder.observe)
    }

    var workshop: OpenFolder { root.workshop }

    /// Where what is made ready lies, for messages.
    var stagingPath: String {
        let around =
            root.parent == nil ? plan.root : "/" + plan.root.split(separator: "/").dropLast().joined(separator: "/")
        return "\(around)/\(staging)"
    }

    /// Where that is for a set's root that is not there any more, and had a folder around it.
    static func stagingPath(of set: SaveSetID, beside root: String) -> String {
        "/" + (root.split(separator: "/").dropLast() + ["\(StagingName.of(set, at: root))"]).joined(separator: "/")
    }

    /// How deep what is kept may lie: as a set may, and within that what is no part of it, as far as that is carried over.
    static let deepestStaging = 2 * (SavePath.maximumDepth + 2)

    /// Takes away what was made ready or kept.
    func clear() throws(SystemError) {
        try workshop.folder.removeTree(staging, names: .all, deepest: Self.deepestStaging)
        try workshop.folder.sync()
        observe(.cleared)
    }

    /// Notes that the set itself changes from here on.
    func announce() throws(SystemError) {
        observe(.staged)
        try journal.note(.changing)
        observe(.announced)
    }

    func commit() throws(SystemError) {
        observe(.changed)
        try journal.note(.committed)
        observe(.committed)
    }

    /// Makes sure, before the change is taken back, that a crash finds it so: where noting that it stands has failed, the disk may have noted
    /// it all the same.
    func forsake() throws(SystemError) {
        if journal.isDoubtful { try journal.note(.changing) }
    }

    /// Makes sure that nobody writes to some files.
    func requireUnused(_ paths: some Sequence<SavePath>, in folder: borrowing Folder) throws {
        var search = WriterSearch()
        try search.look(at: paths, in: folder)
        if case .occupied(let writers) = search.result() { throw InUse(writers: writers) }
    }

    /// The files of the base that the goal does not have as they are, so that whoever writes to them would lose what he writes.
    var leavingFiles: [SavePath] {
        plan.base.entries.filter { $0.file != nil && plan.goal[$0.path]?.content != $0.content }.map(\.path)
    }
}
