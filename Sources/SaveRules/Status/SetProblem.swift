public import Vocabulary

/// A reason why the daemon can't read, store or apply versions of a game, until that works again.
public struct SetProblem: Sendable {
    /// The kinds of reasons.
    public enum Kind: String, Sendable {
        /// No game can have this folder: it contains Huddle's own key, or files from other machines.
        case misplaced
        /// The folder is missing.
        case missing
        /// The folder was replaced by another one that is empty or has none of the former files.
        case replaced
        /// The disk has no room for newer versions.
        case full
        /// The file system is read-only.
        case readOnly = "read-only"
        /// The user of the daemon may not write there.
        case notPermitted = "not-permitted"
        /// Any other reason.
        case other = "trouble"
    }

    /// The kind of reason.
    public let kind: Kind
    /// The failure, and how to continue.
    public let error: any ExplainedError
    /// True if the user heard of it when it happened. A retry that fails again reports nothing.
    var isReported = false

    /// - Parameter error: the failure
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
