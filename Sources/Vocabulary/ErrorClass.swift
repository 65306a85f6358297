/// The kind of a failure. The exit code of a command and the status of an HTTP answer follow from it alone.
///
/// On the wire it is a word such as `not-found`.
public enum ErrorClass: String, CaseIterable, Sendable {
    /// The request is valid and can't be carried out as things are. Most errors are of this class.
    case refused
    /// An error that no part of the program explains.
    case failed
    /// The request itself is wrong: a malformed value, an unknown key, options that exclude each other.
    case invalid
    /// Nothing, or more than one thing, goes by the given name.
    case notFound = "not-found"
    /// Another request, program or machine uses what there is: try again later.
    case busy
    /// No daemon answers, or it ended in the middle of its answer.
    case unavailable
    /// A person has to choose between two versions.
    case conflict
    /// A person has to decide, and there is no terminal to ask one on.
    case personNeeded = "person-needed"

    /// The other machine can't be reached.
    case offline
    case timedOut = "timed-out"
    case declined
    /// This machine blocks the other one.
    case blocked
    case wrongCode = "wrong-code"
    case lockedOut = "locked-out"
    case keyChanged = "key-changed"
    /// The two machines speak no common version of the protocol.
    case incompatible
    /// The connection ended before all was done.
    case interrupted
    /// The other machine does not permit it.
    case notPermitted = "not-permitted"

    /// A file or folder can't be used, for a reason other than those below.
    case file
    case noSpace = "no-space"
    case readOnly = "read-only"
    /// This user may not read or write the file or folder.
    case noPermission = "no-permission"
    case folderMissing = "folder-missing"
    /// Another folder is where a game's folder was.
    case folderReplaced = "folder-replaced"
    /// The folder belongs to programs or to the daemon itself, so no game may use it.
    case folderReserved = "folder-reserved"

    /// A save is not what its format demands.
    case damaged
    /// A save holds something that was not allowed.
    case notAllowed = "not-allowed"
    case tooLarge = "too-large"
    /// A save can't be opened, or is of a kind that Huddle can't read.
    case unreadable
    /// The format can't express what was to be written.
    case inexpressible
}
