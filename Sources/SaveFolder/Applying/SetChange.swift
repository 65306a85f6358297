import Glibc
import History
import LinuxPlatform
import SaveRules
import Vocabulary

/// One change of a folder in progress: the common part of both methods.
final class SetChange {
    /// A program changed the folder meanwhile.
    struct Overtaken: Error {}
    /// A program has a file open that would change.
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

    var stagingParent: OpenFolder { root.stagingParent }

    /// Path of the staging folder, for messages.
    var stagingPath: String {
        let around =
            root.parent == nil ? plan.root : "/" + plan.root.split(separator: "/").dropLast().joined(separator: "/")
        return "\(around)/\(staging)"
    }

    /// Path of the staging folder of a game whose root is missing, and had a parent folder.
    static func stagingPath(of set: SaveSetID, beside root: String) -> String {
        "/" + (root.split(separator: "/").dropLast() + ["\(StagingName.of(set, at: root))"]).joined(separator: "/")
    }

    /// Maximum depth of stored content: that of a game, and of untracked files in its folder, as far as they are
    /// carried over.
    static let deepestStaging = 2 * (SavePath.maximumDepth + 2)

    /// Removes the staging folder.
    func clear() throws(SystemError) {
        try stagingParent.folder.removeTree(staging, names: .all, deepest: Self.deepestStaging)
        try stagingParent.folder.sync()
        observe(.cleared)
    }

    /// Writes the mark that the folder itself changes from now on.
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

    /// Makes sure before an undo that a crash finds no final mark: if writing it failed, the disk may have it anyway.
    func abandon() throws(SystemError) {
        if journal.isDoubtful { try journal.note(.changing) }
    }

    /// Throws if a program writes to one of the files.
    func requireUnused(_ paths: some Sequence<SavePath>, in folder: borrowing Folder) throws {
        var search = WriterSearch()
        try search.look(at: paths, in: folder)
        if case .occupied(let writers) = search.result() { throw InUse(writers: writers) }
    }

    /// The files of the base that the goal replaces or removes: a writer would lose its data.
    var leavingFiles: [SavePath] {
        plan.goal.differences(from: plan.base).compactMap { $0.old?.file == nil ? nil : $0.old?.path }
    }
}
