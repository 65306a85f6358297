public import Vocabulary

/// What keeps a set from being read, kept, or put into its folder, until that works again.
public struct SetTrouble: Sendable {
    /// What it comes down to.
    public enum Kind: String, Sendable {
        /// The folder can be no set's: the program's own key, or what comes from others, lies there.
        case misplaced
        /// The folder is not there.
        case missing
        /// The folder is another one than it was, and is empty or holds nothing of what was there.
        case replaced
        /// There is no room for what is newer.
        case full
        /// Nothing can be written there.
        case readOnly = "read-only"
        /// This user may not.
        case notPermitted = "not-permitted"
        /// Anything else.
        case other = "trouble"
    }

    /// What it comes down to.
    public let kind: Kind
    /// What was refused, and what can be done about it.
    public let error: any ExplainedError
    /// Whether it was told as it came; what is tried again and again is told once.
    var isTold = false

    init(_ error: any ExplainedError) {
        (kind, self.error) = (Self.kind(of: error.code.errorClass), error)
    }

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

/// What does not work for a set now.
struct SetTroubles {
    /// Its disk is waited for, or that of another.
    var disk: SetTrouble?
    /// Its folder is read in vain.
    var reading: SetTrouble?
    /// What is newest is put there in vain.
    var showing: SetTrouble?
    /// What is newer is kept in vain.
    var fetching: SetTrouble?

    /// Notes what does not work. Answers whether nobody was told of it yet.
    mutating func note(_ error: any ExplainedError, of matter: Matter, telling: Bool) -> Bool {
        let isKnown = self[keyPath: matter].map { $0.isTold && $0.error.message == error.message } ?? false
        var trouble = SetTrouble(error)
        trouble.isTold = isKnown || telling
        self[keyPath: matter] = trouble
        return !isKnown
    }

    /// What something did not work for.
    typealias Matter = WritableKeyPath<SetTroubles, SetTrouble?>
}
