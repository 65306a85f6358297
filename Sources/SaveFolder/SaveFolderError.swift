import Glibc
import History
public import LinuxPlatform
public import Vocabulary

/// Why a save set's folder could not be read or changed.
public struct SaveFolderError: ExplainedError {
    /// What went wrong, as a stable word.
    public let code: ErrorCode
    /// What happened, with the path that it happened to.
    public let message: String
    /// What can be done about it.
    public let nextStep: String
    /// What lay underneath, where there is something.
    public let cause: (any Error)?

    init(_ code: ErrorCode, _ message: String, cause: (any Error)? = nil, nextStep: String) {
        (self.code, self.message, self.cause, self.nextStep) = (code, message, cause, nextStep)
    }

    /// What the kernel refused, in terms of what can be done about it.
    ///
    /// - Parameters:
    ///   - error: what it said
    ///   - path: what it was about
    public init(_ error: SystemError, at path: String) {
        let trouble = DiskTrouble(error)
        self.init(
            Self.code(of: trouble),
            trouble.message(about: Self.quoted(path)),
            // That something is not there needs no second word for it.
            cause: error.number == ENOENT ? nil : error,
            nextStep: trouble.nextStep
        )
    }

    init(_ error: HistoryError) {
        let code = ("save-folder.history" as ErrorCode).classed(error.code.errorClass)
        self.init(code, error.message, cause: error, nextStep: error.nextStep)
    }

    static func quoted(_ path: String) -> String { "“\(PrintableText(path, limit: 1_024))”" }

    private static func code(of trouble: DiskTrouble) -> ErrorCode {
        switch trouble {
        case .noSpace: ErrorCode(.noSpace, "save-folder.no-space")
        case .quota: ErrorCode(.noSpace, "save-folder.quota")
        case .fileTooLarge: "save-folder.file-too-large"
        case .readOnly: ErrorCode(.readOnly, "save-folder.read-only")
        case .noPermission: ErrorCode(.noPermission, "save-folder.no-permission")
        case .notFound: ErrorCode(.folderMissing, "save-folder.not-there")
        case .tooManyOpen: "save-folder.too-many-open"
        case .other: "save-folder.disk"
        }
    }
}

extension SaveFolderError {
    /// The code of a root that is not there.
    public static let notThere: ErrorCode = ErrorCode(.folderMissing, "save-folder.not-there")

    static func tooMuch(_ root: String, cause: any Error) -> SaveFolderError {
        SaveFolderError(
            "save-folder.too-much",
            "\(quoted(root)) holds more than a save set can",
            cause: cause,
            nextStep: "choose the folder of one game, or leave things out by patterns"
        )
    }

    static func emptyPlace(_ root: String) -> SaveFolderError {
        SaveFolderError(
            ErrorCode(.folderReplaced, "save-folder.empty-place"),
            "\(quoted(root)) is empty and is not the folder that it was",
            nextStep:
                "mount what belongs there; if this folder is the set's from now on: `huddle set NAME --at` and its path, which puts the newest version there"
        )
    }

    static func otherPlace(_ root: String) -> SaveFolderError {
        SaveFolderError(
            ErrorCode(.folderReplaced, "save-folder.other-place"),
            "\(quoted(root)) is not the folder that it was, and holds nothing of what was there",
            nextStep: """
                mount what belongs there; if this folder is the set's from now on: `huddle set NAME --at` and its path, which keeps \
                what lies there beside the newest version
                """
        )
    }

    static func inTheWay(_ path: String) -> SaveFolderError {
        SaveFolderError(
            "save-folder.in-the-way",
            "\(quoted(path)) is no part of the set and stands where the save has something else",
            nextStep: "move it away, or change the patterns"
        )
    }

    static func withoutLinks(_ path: String) -> SaveFolderError {
        SaveFolderError(
            "save-folder.without-links",
            "\(quoted(path)) is a symbolic link, and the disk there keeps none",
            nextStep: "leave it out with a pattern, or let the set lie on another disk"
        )
    }

    static func unfitName(_ path: String, cause: SystemError) -> SaveFolderError {
        SaveFolderError(
            "save-folder.unfit-name",
            "\(quoted(path)) has a name that the disk there does not take",
            cause: cause,
            nextStep: "leave it out with a pattern, or let the set lie on another disk"
        )
    }

    static func notTheFolder(_ root: String) -> SaveFolderError {
        SaveFolderError(
            ErrorCode(.folderReplaced, "save-folder.not-the-folder"),
            "\(quoted(root)) is not the folder in which a change was interrupted",
            nextStep: "put back the folder that was there; the change is ended as soon as it is found"
        )
    }

    /// It may be the folder all the same, where its disk calls itself otherwise and a game has rewritten all of it.
    static func nothingKnown(_ root: String) -> SaveFolderError {
        SaveFolderError(
            ErrorCode(.folderReplaced, "save-folder.not-the-folder"),
            "\(quoted(root)) holds nothing of what was there when a change of it was interrupted",
            nextStep: """
                mount what belongs there, and the change is ended; if this folder is the set's all the same: `huddle set NAME --at` \
                and its path, which keeps what lies there
                """
        )
    }

    static func bothChanged(_ root: String, _ other: String) -> SaveFolderError {
        SaveFolderError(
            "save-folder.both-changed",
            "an interrupted change left two states of \(quoted(root)), and programs have changed both since",
            nextStep: "copy what you need out of \(quoted(other)), then remove that folder"
        )
    }

    static func interruptedElsewhere(_ root: String) -> SaveFolderError {
        SaveFolderError(
            "save-folder.interrupted-elsewhere",
            "a change of \(quoted(root)) was interrupted in the middle, and that folder is not there any more",
            nextStep: "put it back where it was, and the change is ended; then the set can lie elsewhere"
        )
    }

    static func leftBehind(_ path: String) -> SaveFolderError {
        SaveFolderError(
            "save-folder.left-behind",
            "the set lies elsewhere now, and \(quoted(path)) is left of a change that a crash interrupted",
            nextStep: "copy what you need out of it, then remove it; the versions of the set are in its history"
        )
    }

    static func tooManyWatches(_ path: String, cause: any Error) -> SaveFolderError {
        SaveFolderError(
            "save-folder.too-many-watches",
            "\(quoted(path)) can't be watched, because this user watches as many folders as the system allows",
            cause: cause,
            nextStep:
                "raise the limit: `sudo sysctl fs.inotify.max_user_watches=\(max(524_288, 2 * (Inotify.mostWatches ?? 0)))`; `huddle doctor` says how to keep it"
        )
    }

    /// Nothing can be watched. The kernel has one answer to a program that has opened too much and to a user that watches in too many programs.
    static func noQueue(_ error: SystemError) -> SaveFolderError {
        guard error.number == EMFILE else { return SaveFolderError(error, at: "the kernel's queue of changes") }
        return SaveFolderError(
            "save-folder.too-many-queues",
            "no folder can be watched, because as many programs of this user watch folders as the system allows",
            cause: error,
            nextStep:
                "raise the limit (`sudo sysctl fs.inotify.max_user_instances=1024`), and put that line into /etc/sysctl.d/huddle.conf to keep it"
        )
    }

    static func damagedJournal(_ path: String, cause: (any Error)? = nil) -> SaveFolderError {
        SaveFolderError(
            "save-folder.damaged-journal",
            "what was noted in \(quoted(path)) about a change of the set is damaged",
            cause: cause,
            nextStep: "look at the set's folder; remove the file when it is as it should be"
        )
    }
}

/// Makes calls into the kernel on behalf of a path and explains what they refuse.
func explaining<Value: ~Copyable>(
    _ path: @autoclosure () -> String,
    _ body: () throws(SystemError) -> Value
) throws(SaveFolderError) -> Value {
    do {
        return try body()
    } catch {
        throw SaveFolderError(error, at: path())
    }
}

/// Asks the history and passes on what it says.
func asking<Value>(_ body: () throws(HistoryError) -> Value) throws(SaveFolderError) -> Value {
    do {
        return try body()
    } catch {
        throw SaveFolderError(error)
    }
}
