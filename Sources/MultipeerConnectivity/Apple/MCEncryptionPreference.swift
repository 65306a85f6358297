/// What a session asks of the encryption of its connections.
///
/// Every connection is encrypted, whatever is said here. The preference decides who can be in one session: who requires
/// encryption and who refuses it never meet, as with Apple.
public enum MCEncryptionPreference: Int, Sendable {
    /// Either way will do.
    case optional = 0
    /// Refuses peers that want none.
    case required = 1
    /// Refuses peers that require it. What is sent is encrypted all the same.
    case none = 2

    /// Whether two sessions can meet.
    func goesWith(_ other: MCEncryptionPreference) -> Bool {
        switch (self, other) {
        case (.required, .none), (.none, .required): false
        default: true
        }
    }
}
