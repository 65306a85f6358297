import CommandTable
import Household
import Vocabulary

/// The exit codes of `huddle`, which `docs/exit-codes.md` explains.
extension ExitCode {
    /// Something went wrong that has no code of its own.
    static let failure = ExitCode(1, "something went wrong; the message says what")

    /// Discovery could not work at all.
    static let noAvahi = ExitCode(3, "avahi-daemon was not there all the time, so that nothing could be found")

    static let unreachable = ExitCode(
        4,
        "nothing, or more than one thing, goes by the given name, or the machine can't be reached"
    )
    static let timedOut = ExitCode(5, "the peer was reached, but no answer came in time")
    static let declined = ExitCode(6, "the other side said no")
    static let blocked = ExitCode(7, "this machine blocks that peer")
    static let wrongCode = ExitCode(8, "the code was mistyped, or another machine is in between")
    static let lockedOut = ExitCode(9, "there were too many wrong codes; wait")
    static let keyChanged = ExitCode(10, "a known peer has come with another key")
    static let wrongVersion = ExitCode(11, "the two don't understand each other")
    static let full = ExitCode(12, "there is no room for another; try again later")
    static let lost = ExitCode(13, "the connection, or the program there, went away before all was done")
    static let notPermitted = ExitCode(14, "the other side does not permit that")
    static let personNeeded = ExitCode(15, "a person has to decide, and there is no terminal to ask one on")
    static let transferFailed = ExitCode(16, "a file or folder could not be read here, or stored there")
    static let damaged = ExitCode(17, "a save is damaged: it is not what its format demands")
    static let notAllowed = ExitCode(18, "a save holds something that was not allowed, such as a class")
    static let tooLarge = ExitCode(19, "a save goes beyond the limits of what is read")
    static let unreadable = ExitCode(20, "a file can't be opened or read")
    static let inexpressible = ExitCode(21, "the format can't say what was to be written")
    static let different = ExitCode(23, "the saves differ")
    static let undecided = ExitCode(
        24,
        "two machines saved apart, or two saves were changed, and a person has to choose"
    )
    static let faultFound = ExitCode(25, "huddle doctor found a fault")
    static let noDaemon = ExitCode(30, "no huddled runs here, it does not answer, or it ended in the middle")
    static let notExecutable = ExitCode(126, "the game is there and can't be started")
    static let notFound = ExitCode(127, "the game is not there")
    static let interrupted = ExitCode(130, "Ctrl-C or SIGTERM ended it before it was done")

    /// All there are.
    static let all: [ExitCode] = [
        .success, .failure, .usage, .noAvahi, .unreachable, .timedOut, .declined, .blocked, .wrongCode, .lockedOut,
        .keyChanged, .wrongVersion, .full, .lost, .notPermitted, .personNeeded, .transferFailed, .damaged, .notAllowed,
        .tooLarge, .unreadable, .inexpressible, .different, .undecided, .faultFound, .noDaemon,
        .notExecutable, .notFound, .interrupted,
    ]

    /// Those of the commands that go to a peer.
    static let calling: [ExitCode] = [
        .success, .failure, .usage, .unreachable, .timedOut, .declined, .blocked, .wrongCode, .lockedOut, .keyChanged,
        .wrongVersion, .full, .lost, .personNeeded, .noDaemon, .interrupted,
    ]

    /// Those of the commands that read a save.
    static let opening: [ExitCode] = [
        .success, .failure, .usage, .damaged, .notAllowed, .tooLarge, .unreadable,
    ]

    /// The one for what went wrong.
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
        case .personNeeded: .personNeeded
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
