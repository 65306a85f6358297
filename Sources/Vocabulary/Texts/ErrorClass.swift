/// The class of an error. It alone determines the exit code of a command and the status of an HTTP response.
///
/// On the wire it is a word such as `not-found`.
public enum ErrorClass: String, CaseIterable, Sendable {
    /// The request is valid, but can't be carried out at present. Most errors are of this class.
    case refused
    /// An error that no part of the program explains.
    case failed
    /// The request itself is wrong: a malformed value, an unknown key, or options that exclude each other.
    case invalid
    /// No object, or more than one, has the given name.
    case notFound = "not-found"
    /// Another request, program or machine uses the object: try again later.
    case busy
    /// No daemon answers, or it stopped during its response.
    case unavailable
    /// The user must choose between two versions.
    case conflict
    /// The user must decide, and there is no terminal for the question.
    case userNeeded = "user-needed"

    /// The other machine can't be reached.
    case offline
    case timedOut = "timed-out"
    case declined
    /// This machine blocks the other one.
    case blocked
    case wrongCode = "wrong-code"
    case lockedOut = "locked-out"
    case keyChanged = "key-changed"
    /// The two machines have no common version of the protocol.
    case incompatible
    /// The connection ended before the work was done.
    case interrupted
    /// The other machine does not permit it.
    case notPermitted = "not-permitted"

    /// A file or folder can't be used, for a reason without a class of its own.
    case file
    case noSpace = "no-space"
    case readOnly = "read-only"
    /// This user may not read or write the file or folder.
    case noPermission = "no-permission"
    case folderMissing = "folder-missing"
    /// Another folder is in the place of a game's folder.
    case folderReplaced = "folder-replaced"
    /// The folder belongs to programs or to the daemon itself, so no game may use it.
    case folderReserved = "folder-reserved"

    /// A save does not match its format.
    case damaged
    /// A save has content that was not allowed.
    case notAllowed = "not-allowed"
    case tooLarge = "too-large"
    /// A save can't be opened, or is of a kind that Huddle can't read.
    case unreadable
    /// The format can't express the data.
    case inexpressible
}
