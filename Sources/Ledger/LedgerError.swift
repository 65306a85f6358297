public import Database
public import Vocabulary

/// A failure to open, read or write the ledger. It holds none of the ledger's contents.
public struct LedgerError: ExplainedError {
    /// The kind of failure, as a stable word.
    public let code: ErrorCode
    /// The description of the failure.
    public let message: String
    /// The advice to the user.
    public let nextStep: String
    /// The error of SQLite or the kernel, or nil.
    public let cause: (any Error)?

    init(_ code: ErrorCode, _ message: String, nextStep: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.cause = cause
    }

    /// The error of SQLite, or nil if the cause is another one.
    var failure: SQLiteFailure? { cause as? SQLiteFailure }
}

extension LedgerError: DatabaseFailure {
    /// No space is left for the ledger. The failed change is not in it.
    public static let diskFullCode: ErrorCode = ErrorCode(.noSpace, "ledger.disk-full")
    /// The ledger can be read but not written.
    public static let readOnlyCode: ErrorCode = ErrorCode(.readOnly, "ledger.read-only")
    /// Another program kept the ledger locked for too long.
    public static let lockedCode: ErrorCode = "ledger.locked"
    /// The file was found damaged while in use. The next opening moves it aside.
    public static let damagedCode: ErrorCode = "ledger.damaged"
    /// A newer huddle has written the ledger.
    public static let newerCode: ErrorCode = "ledger.newer"
    /// A value in the ledger can't be understood, as after a change by hand.
    public static let unreadableCode: ErrorCode = "ledger.unreadable"
    /// The ledger can't be opened in its place.
    public static let cannotOpenCode: ErrorCode = "ledger.cannot-open"

    /// Translates an error of SQLite.
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
                nextStep: "check its disk (`dmesg`), then try again",
                cause: failure
            )
        }
    }

    static func restored(_ place: String?) -> LedgerError {
        let fate = place.map { "was damaged and is at “\(PrintableText($0, limit: 4096))” now" } ?? "is gone"
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
            "the ledger was damaged and had no intact copy, so all machines and save sets are forgotten; "
                + "it is now at “\(PrintableText(place, limit: 4096))”",
            nextStep:
                "pair the machines again (`huddle pair`), then join each game (`huddle join NAME --at FOLDER`), "
                + "or share it if no machine offers it (`huddle share FOLDER --name NAME`)"
        )
    }

    /// Makes the error for a value that can't be understood.
    package init(_ value: UnreadableValue) {
        self.init(
            Self.unreadableCode,
            "something in the ledger can't be understood",
            nextStep: "undo the change that was made by hand, or forget the peer or setting and enter it again",
            cause: value
        )
    }
}
