public import Database
public import Vocabulary

/// Why the ledger could not be opened, read or written. Nothing of what it holds stands in it.
public struct LedgerError: ExplainedError {
    /// The kind of failure, as a stable word.
    public let code: ErrorCode
    /// What happened.
    public let message: String
    /// What to do about it.
    public let nextStep: String
    /// What SQLite or the kernel said.
    public let cause: (any Error)?

    init(_ code: ErrorCode, _ message: String, nextStep: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.cause = cause
    }

    /// What SQLite said, where it was SQLite.
    var failure: SQLiteFailure? { cause as? SQLiteFailure }
}

extension LedgerError: DatabaseFailure {
    /// No space is left where the ledger lies; nothing of what was to be written is in it.
    public static let diskFullCode: ErrorCode = ErrorCode(.noSpace, "ledger.disk-full")
    /// The ledger may be read there, not written.
    public static let readOnlyCode: ErrorCode = ErrorCode(.readOnly, "ledger.read-only")
    /// Another program kept it locked for too long.
    public static let lockedCode: ErrorCode = "ledger.locked"
    /// The file turned out to be damaged while in use; the next opening sets it aside.
    public static let damagedCode: ErrorCode = "ledger.damaged"
    /// A newer huddle has written it.
    public static let newerCode: ErrorCode = "ledger.newer"
    /// One thing in it can't be understood, as after a change by hand.
    public static let unreadableCode: ErrorCode = "ledger.unreadable"
    /// It can't be opened where it is.
    public static let cannotOpenCode: ErrorCode = "ledger.cannot-open"

    /// Says in the ledger's words what SQLite said.
    package init(_ failure: SQLiteFailure) {
        if failure.isWantOfSpace {
            self.init(
                Self.diskFullCode,
                "there is no space left for the ledger",
                nextStep: "make room on that disk, then try again",
                cause: failure
            )
        } else if failure.isReadOnly {
            self.init(
                Self.readOnlyCode,
                "the ledger can't be written",
                nextStep:
                    "see to it that its folder and files belong to you and that the disk is not mounted read-only",
                cause: failure
            )
        } else if failure.isDamage {
            self.init(
                Self.damagedCode,
                "the ledger is damaged",
                nextStep: "end all huddle programs and start again: it is set aside then and a new one begun",
                cause: failure
            )
        } else {
            self.init(other: failure)
        }
    }

    private init(other failure: SQLiteFailure) {
        if failure.isLocked {
            self.init(
                Self.lockedCode,
                "another program keeps the ledger locked",
                nextStep: "end the other huddle program, or wait until it is done, then try again",
                cause: failure
            )
        } else if failure.isForbidden {
            self.init(
                Self.cannotOpenCode,
                "the ledger can't be opened",
                nextStep: "see to it that its folder and files belong to you",
                cause: failure
            )
        } else {
            self.init(
                "ledger.failed",
                "the ledger could not be read or written",
                nextStep: "look at the disk that it lies on (`dmesg`), then try again",
                cause: failure
            )
        }
    }

    static func restored(_ place: String?) -> LedgerError {
        let fate = place.map { "was damaged and lies at “\(PrintableText($0, limit: 4096))” now" } ?? "is gone"
        let rest = place == nil ? "are gone with it" : "are in the damaged one only"
        return LedgerError(
            "ledger.restored",
            "the ledger \(fate); which machines are known and which save sets there are came from its copy",
            nextStep:
                "look through `huddle policy` and `huddle list`; what had come in, who was waiting and the log \(rest)"
        )
    }

    static func setAside(_ place: String) -> LedgerError {
        LedgerError(
            "ledger.set-aside",
            "the ledger was damaged and lies at “\(PrintableText(place, limit: 4096))” now, and there was no sound copy: no machine and no save set is known any more",
            nextStep:
                "let the machines in again (`huddle invite`), then take up each set where it lies: `huddle join NAME --at FOLDER` if another machine offers it, else `huddle share FOLDER --name NAME`"
        )
    }

    /// Says that something in the ledger is not what it has to be.
    package init(_ value: UnreadableValue) {
        self.init(
            Self.unreadableCode,
            "something in the ledger can't be understood",
            nextStep: "undo what was changed by hand, or forget the peer or setting and enter it anew",
            cause: value
        )
    }
}
