import SaveRules
public import Vocabulary

/// A failure to store, find or remove something in a history.
public struct HistoryError: ExplainedError {
    /// The kind of failure, as a stable word.
    public let code: ErrorCode
    /// The description of the failure.
    public let message: String
    /// The advice to the user.
    public let nextStep: String
    /// The underlying error, or nil.
    public let cause: (any Error)?

    init(_ code: ErrorCode, _ message: String, cause: (any Error)? = nil, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.cause = cause
    }

    /// True if something that was kept is damaged or missing here, so that a retry does not help.
    public var isLoss: Bool { Self.losses.contains(code) }

    /// True if garbage can't be collected because files of the history are missing.
    public var isOfMissingPacks: Bool { code == Self.missingPacksCode }

    /// True if a piece is missing, and not only damaged.
    var isAbsence: Bool { code == Self.absence }

    private static let missingPacksCode: ErrorCode = "history.missing-packs"
    private static let absence: ErrorCode = "history.unknown-piece"
    private static let losses: Set<ErrorCode> = ["history.damaged-piece", absence, "history.damaged-snapshot"]

    static func busy(_ path: String) -> HistoryError {
        HistoryError(
            "history.busy",
            "another program writes to the history in “\(PrintableText(path))”",
            nextStep: "use that program, or end it first"
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
            "the history has no piece \(piece.short)",
            nextStep: "fetch it from a machine that has it"
        )
    }

    static func damaged(_ piece: PieceID) -> HistoryError {
        HistoryError("history.damaged-piece", "the piece \(piece.short) is damaged on this disk", nextStep: runCheck)
    }

    static func unknown(_ snapshot: SnapshotID) -> HistoryError {
        HistoryError(
            ErrorCode(.notFound, "history.unknown-snapshot"),
            "the history has no snapshot \(snapshot.short)",
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
        let pieces = missing == 1 ? "piece is" : "pieces are"
        return HistoryError(
            "history.missing-pieces",
            "the snapshot \(snapshot.short) is incomplete: \(missing) \(pieces) missing",
            nextStep: "put the missing pieces first: read the files again, or fetch the pieces"
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
            "a part of the history is damaged, and its former contents are unknown",
            nextStep: "run `huddle fsck --repair` to discard that part; check the disk as well"
        )
    }

    static func missingPacks() -> HistoryError {
        HistoryError(
            missingPacksCode,
            "garbage can't be collected: a missing file of the history may list pieces that versions need",
            nextStep:
                "put the file back, or run `huddle fsck --repair` to give up its contents; check the disk as well"
        )
    }

    static func unreadable() -> HistoryError {
        HistoryError(
            "history.damaged",
            "the history can't be read: the beginning of every file in it is damaged",
            nextStep: "start huddled: it moves the damaged files aside and begins a new history; check the disk as well"
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
        "run `huddle fsck` to see what is lost and what can be fetched again; check the disk as well"
}
