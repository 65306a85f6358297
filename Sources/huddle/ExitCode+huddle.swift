import CommandTable
import Household
import Vocabulary

/// The exit codes of `huddle`, which `docs/exit-codes.md` explains.
extension ExitCode {
    static let failure = ExitCode(1, "an error without a code of its own; the message says which")

    static let noAvahi = ExitCode(3, "avahi-daemon did not run all the time, so nothing could be found")

    static let unreachable = ExitCode(
        4,
        "the name fits nothing or several things, or the machine can't be reached"
    )
    static let timedOut = ExitCode(5, "the machine was reached, but did not answer in time")
    static let declined = ExitCode(6, "the other side declined")
    static let blocked = ExitCode(7, "this machine blocks the other one")
    static let wrongCode = ExitCode(8, "the code was mistyped, or another machine is in between")
    static let lockedOut = ExitCode(9, "there were too many wrong codes; wait")
    static let keyChanged = ExitCode(10, "a known machine has another key")
    static let wrongVersion = ExitCode(11, "the versions of the two machines do not fit")
    static let full = ExitCode(12, "the other side has no free connections; try again later")
    static let lost = ExitCode(13, "the connection or the other program ended too early")
    static let notPermitted = ExitCode(14, "the other side does not permit that")
    static let userNeeded = ExitCode(15, "the user needs to decide, and there is no terminal")
    static let transferFailed = ExitCode(16, "a file or folder could not be read here or stored there")
    static let damaged = ExitCode(17, "a save is damaged: it breaks the rules of its format")
    static let notAllowed = ExitCode(18, "a save holds something that is not allowed, such as a class")
    static let tooLarge = ExitCode(19, "a save exceeds the limits of reading")
    static let unreadable = ExitCode(20, "a file can't be opened or read")
    static let inexpressible = ExitCode(21, "the format can't hold the values")
    static let different = ExitCode(23, "the saves differ")
    static let undecided = ExitCode(
        24,
        "two saves are in conflict, and the user needs to choose"
    )
    static let faultFound = ExitCode(25, "huddle doctor found a fault")
    static let noDaemon = ExitCode(30, "the daemon does not run or does not answer")
    static let notExecutable = ExitCode(126, "the game can't be started")
    static let notFound = ExitCode(127, "the game does not exist")
    static let interrupted = ExitCode(130, "Ctrl-C or SIGTERM ended the command early")

    /// All exit codes.
    static let all: [ExitCode] = [
        .success, .failure, .usage, .noAvahi, .unreachable, .timedOut, .declined, .blocked, .wrongCode, .lockedOut,
        .keyChanged, .wrongVersion, .full, .lost, .notPermitted, .userNeeded, .transferFailed, .damaged, .notAllowed,
        .tooLarge, .unreadable, .inexpressible, .different, .undecided, .faultFound, .noDaemon,
        .notExecutable, .notFound, .interrupted,
    ]

    /// The exit codes of commands that call another machine.
    static let calling: [ExitCode] = [
        .success, .failure, .usage, .unreachable, .timedOut, .declined, .blocked, .wrongCode, .lockedOut, .keyChanged,
        .wrongVersion, .full, .lost, .userNeeded, .noDaemon, .interrupted,
    ]

    /// The exit codes of commands that read a save.
    static let opening: [ExitCode] = [
        .success, .failure, .usage, .damaged, .notAllowed, .tooLarge, .unreadable,
    ]

    /// The exit code for an error.
    init(of error: any Error) {
        if let error = error as? CommandError, let exitCode = error.exitCode {
            self = exitCode
        } else {
            self = Self.of(PassedOnError(error).errorClass)
        }
    }

    private static func of(_ errorClass: ErrorClass) -> ExitCode {
        switch errorClass {
        case .refused, .failed: .failure
        case .invalid: .usage
        case .notFound, .offline: .unreachable
        case .timedOut: .timedOut
        case .declined: .declined
        case .blocked: .blocked
        case .wrongCode: .wrongCode
        case .lockedOut: .lockedOut
        case .keyChanged: .keyChanged
        case .incompatible: .wrongVersion
        case .busy: .full
        case .interrupted: .lost
        case .notPermitted: .notPermitted
        case .userNeeded: .userNeeded
        case .file, .noSpace, .readOnly, .noPermission, .folderMissing, .folderReplaced, .folderReserved:
            .transferFailed
        case .damaged: .damaged
        case .notAllowed: .notAllowed
        case .tooLarge: .tooLarge
        case .unreadable: .unreadable
        case .inexpressible: .inexpressible
        case .conflict: .undecided
        case .unavailable: .noDaemon
        }
    }
}
