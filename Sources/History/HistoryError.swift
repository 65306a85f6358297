import SaveRules
public import Vocabulary

/// Why something could not be kept, found or removed.
public struct HistoryError: ExplainedError {
    /// What went wrong, as a stable word.
    public let code: ErrorCode
    /// What happened.
    public let message: String
    /// What can be done about it.
    public let nextStep: String
    /// What lay underneath, where there is something.
    public let cause: (any Error)?

    init(_ code: ErrorCode, _ message: String, cause: (any Error)? = nil, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.cause = cause
    }

    /// Whether something that was kept is damaged here or not here any more: to try again does not help.
    public var isLoss: Bool { Self.losses.contains(code) }

    /// Whether nothing can be collected because files of the history are gone.
    public var isOfMissingPacks: Bool { code == Self.missingPacksCode }

    /// Whether a piece is not here, and not only damaged.
    var isAbsence: Bool { code == Self.absence }

    private static let missingPacksCode: ErrorCode = "history.missing-packs"
    private static let absence: ErrorCode = "history.unknown-piece"
    private static let losses: Set<ErrorCode> = ["history.damaged-piece", absence, "history.damaged-snapshot"]

    static func busy(_ path: String) -> HistoryError {
        HistoryError(
            "history.busy",
            "another program writes to the history in “\(PrintableText(path))”",
            nextStep: "let that program do it, or end it first"
        )
    }

    static func newerForm() -> HistoryError {
        HistoryError(
            "history.newer-form",
            "the history was written by a newer huddle",
            nextStep: "update huddle on this machine"
        )
    }

    static func onlyForReading() -> HistoryError {
        HistoryError(
            "history.only-reading",
            "the history was opened for reading",
            nextStep: "open it for writing"
        )
    }

    static func unknown(_ piece: PieceID) -> HistoryError {
        HistoryError(
            absence,
            "there is no piece \(piece.short)",
            nextStep: "fetch it from a machine that has it"
        )
    }

    static func damaged(_ piece: PieceID) -> HistoryError {
        HistoryError("history.damaged-piece", "the piece \(piece.short) is damaged on this disk", nextStep: runCheck)
    }

    static func unknown(_ snapshot: SnapshotID) -> HistoryError {
        HistoryError(
            ErrorCode(.notFound, "history.unknown-snapshot"),
            "there is no snapshot \(snapshot.short)",
            nextStep: "choose one that `huddle history` shows"
        )
    }

    static func damaged(_ snapshot: SnapshotID, cause: (any Error)? = nil) -> HistoryError {
        HistoryError(
            "history.damaged-snapshot",
            "the snapshot \(snapshot.short) is damaged on this disk",
            cause: cause,
            nextStep: runCheck
        )
    }

    static func incomplete(_ snapshot: SnapshotID, missing: Int) -> HistoryError {
        HistoryError(
            "history.missing-pieces",
            "\(missing) \(missing == 1 ? "piece" : "pieces") of the snapshot \(snapshot.short) \(missing == 1 ? "is" : "are") not there",
            nextStep: "put what is missing first: read the files again, or fetch the pieces"
        )
    }

    static func otherContents(_ piece: PieceID) -> HistoryError {
        HistoryError(
            "history.other-contents",
            "the bytes are not those of the piece \(piece.short)",
            nextStep: "fetch the piece again, from another machine if it happens twice"
        )
    }

    static func badLength(_ count: Int) -> HistoryError {
        HistoryError(
            "history.bad-length",
            "a piece has 1 byte to 4 MiB, not \(count) bytes",
            nextStep: "cut it as the format says"
        )
    }

    static func damagedPacks() -> HistoryError {
        HistoryError(
            "history.damaged",
            "a part of the history is damaged, and nobody knows what stood there",
            nextStep: "run `huddle fsck --repair`, which gives that part up; check the disk as well"
        )
    }

    static func missingPacks() -> HistoryError {
        HistoryError(
            missingPacksCode,
            "a file of the history is gone, and what else the versions need that were in it is not known: nothing is removed meanwhile",
            nextStep:
                "put the file back; where that can't be, `huddle fsck --repair` gives up what was only there; check the disk as well"
        )
    }

    static func unreadable() -> HistoryError {
        HistoryError(
            "history.damaged",
            "what every part of the history begins with is damaged, so that nothing of it can be read",
            nextStep: "start huddled: it sets all of that aside, and begins a new history; check the disk as well"
        )
    }

    static func underCare() -> HistoryError {
        HistoryError(
            "history.under-care",
            "the history is being checked or cleaned up already",
            nextStep: "wait until that is done"
        )
    }

    private static let runCheck =
        "run `huddle fsck`, which says what is lost and what can be fetched again; check the disk as well"
}
