import Glibc
import History
public import LinuxPlatform
public import Vocabulary

/// Failure of reading or changing the folder of a game.
public struct SaveFolderError: ExplainedError {
    /// Stable code of the error.
    public let code: ErrorCode
    /// The failure with its path.
    public let message: String
    /// The recommended action.
    public let nextStep: String
    /// The underlying error, if there is one.
    public let cause: (any Error)?

    init(_ code: ErrorCode, _ message: String, cause: (any Error)? = nil, nextStep: String) {
        (self.code, self.message, self.cause, self.nextStep) = (code, message, cause, nextStep)
    }

    /// An error of the kernel with a next step.
    ///
    /// - Parameters:
    ///   - error: the error of the kernel
    ///   - path: the path of the call
    public init(_ error: SystemError, at path: String) {
        let trouble = DiskTrouble(error)
        self.init(
            Self.code(of: trouble),
            trouble.message(about: Self.quoted(path)),
            // For a missing file the message says everything.
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
        case .notFound: ErrorCode(.folderMissing, "save-folder.missing")
        case .tooManyOpen: "save-folder.too-many-open"
        case .other: "save-folder.disk"
        }
    }
}

extension SaveFolderError {
    /// Code for a missing root.
    public static let notThere: ErrorCode = ErrorCode(.folderMissing, "save-folder.missing")

    static func tooMuch(_ root: String, cause: any Error) -> SaveFolderError {
        SaveFolderError(
            "save-folder.too-much",
            "\(quoted(root)) exceeds the limits of a game",
            cause: cause,
            nextStep: "choose the folder of one game, or exclude files by patterns"
        )
    }

    static func emptyPlace(_ root: String) -> SaveFolderError {
        SaveFolderError(
            ErrorCode(.folderReplaced, "save-folder.empty-place"),
            "\(quoted(root)) is empty and is not the previous folder",
            nextStep: """
                mount the disk of the previous folder; to use this folder instead, run `huddle set NAME --at` with its \
                path, which puts the newest version there
                """
        )
    }

    static func otherPlace(_ root: String) -> SaveFolderError {
        SaveFolderError(
            ErrorCode(.folderReplaced, "save-folder.other-place"),
            "\(quoted(root)) is not the previous folder, and has none of its files",
            nextStep: """
                mount the disk of the previous folder; to use this folder instead, run `huddle set NAME --at` with its \
                path, which keeps its files beside the newest version
                """
        )
    }

    static func inTheWay(_ path: String) -> SaveFolderError {
        SaveFolderError(
            "save-folder.in-the-way",
            "\(quoted(path)) is no part of the game and is in the place of an entry of the save",
            nextStep: "move it away, or change the patterns"
        )
    }

    static func withoutLinks(_ path: String) -> SaveFolderError {
        SaveFolderError(
            "save-folder.without-links",
            "\(quoted(path)) is a symbolic link, which its disk does not support",
            nextStep: "exclude it with a pattern, or move the folder to another disk"
        )
    }

    static func unfitName(_ path: String, cause: SystemError) -> SaveFolderError {
        SaveFolderError(
            "save-folder.unfit-name",
            "\(quoted(path)) has a name that its disk does not support",
            cause: cause,
            nextStep: "exclude it with a pattern, or move the folder to another disk"
        )
    }

    static func notTheFolder(_ root: String) -> SaveFolderError {
        SaveFolderError(
            ErrorCode(.folderReplaced, "save-folder.not-the-folder"),
            "\(quoted(root)) is not the folder in which a change was interrupted",
            nextStep: "put the previous folder back; then Huddle ends the change"
        )
    }

    /// The error for a folder with no known file. It may be the same folder, if the identity of its disk changed and a
    /// game has rewritten all of it.
    static func nothingKnown(_ root: String) -> SaveFolderError {
        SaveFolderError(
            ErrorCode(.folderReplaced, "save-folder.not-the-folder"),
            "\(quoted(root)) has none of the files of the interrupted change",
            nextStep: """
                mount the disk of the previous folder, and Huddle ends the change; to use this folder instead, run \
                `huddle set NAME --at` with its path, which keeps its files
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
            "a change of \(quoted(root)) was interrupted in the middle, and that folder is missing",
            nextStep: "put it back in its place, and Huddle ends the change; then the folder can move"
        )
    }

    static func leftBehind(_ path: String) -> SaveFolderError {
        SaveFolderError(
            "save-folder.left-behind",
            "the folder moved, and \(quoted(path)) remains of a change that a crash interrupted",
            nextStep: "copy what you need out of it, then remove it; the versions of the game are in its history"
        )
    }

    static func tooManyWatches(_ path: String, cause: any Error) -> SaveFolderError {
        SaveFolderError(
            "save-folder.too-many-watches",
            "\(quoted(path)) can't be watched, because this user watches as many folders as the system allows",
            cause: cause,
            nextStep: """
                raise the limit: `sudo sysctl \
                fs.inotify.max_user_watches=\(max(524_288, 2 * (Inotify.mostWatches ?? 0)))`; \
                `huddle doctor` shows how to make it permanent
                """
        )
    }

    /// The error if no folder can be watched. The kernel has one error for a program with too many open files and a
    /// user with too many watching programs.
    static func noQueue(_ error: SystemError) -> SaveFolderError {
        guard error.number == EMFILE else { return SaveFolderError(error, at: "the kernel's queue of changes") }
        return SaveFolderError(
            "save-folder.too-many-queues",
            "no folder can be watched, because as many programs of this user watch folders as the system allows",
            cause: error,
            nextStep: """
                raise the limit (`sudo sysctl fs.inotify.max_user_instances=1024`), and put that line into \
                /etc/sysctl.d/huddle.conf to make it permanent
                """
        )
    }

    static func damagedJournal(_ path: String, cause: (any Error)? = nil) -> SaveFolderError {
        SaveFolderError(
            "save-folder.damaged-journal",
            "the journal \(quoted(path)) of a change is damaged",
            cause: cause,
            nextStep: "check the game's folder; if it is right, remove the journal"
        )
    }
}

/// Runs system calls for a path and converts their errors.
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

/// Runs a call of the history and converts its errors.
func asking<Value>(_ body: () throws(HistoryError) -> Value) throws(SaveFolderError) -> Value {
    do {
        return try body()
    } catch {
        throw SaveFolderError(error)
    }
}
