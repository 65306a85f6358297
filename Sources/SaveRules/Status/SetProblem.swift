public import Vocabulary

/// A reason why a game's versions can't be read, stored, or put into its folder, until that works again.
public struct SetProblem: Sendable {
    /// The kind of reason.
    public enum Kind: String, Sendable {
        /// No game can have this folder: Huddle's own key, or files from other machines, are in it.
        case misplaced
        /// The folder is not there.
        case missing
        /// The folder is another one than it was, and is empty or has nothing of what was there.
        case replaced
        /// The disk has no room for newer versions.
        case full
        /// Nothing can be written there.
        case readOnly = "read-only"
        /// This user may not write there.
        case notPermitted = "not-permitted"
        /// Any other reason.
        case other = "trouble"
    }

    /// The kind of reason.
    public let kind: Kind
    /// The failure, and how to continue.
    public let error: any ExplainedError
    /// True if the user was told when it happened. A retry that fails again says nothing.
    var isTold = false

    /// - Parameter error: what failed
    public init(_ error: any ExplainedError) { (kind, self.error) = (Self.kind(of: error.code.errorClass), error) }

    private static func kind(of errorClass: ErrorClass) -> Kind {
        switch errorClass {
        case .folderReserved: .misplaced
        case .folderMissing: .missing
        case .folderReplaced: .replaced
        case .noSpace: .full
        case .readOnly: .readOnly
        case .noPermission: .notPermitted
        default: .other
        }
    }
}
