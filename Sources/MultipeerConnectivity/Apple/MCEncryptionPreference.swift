/// Encryption preference of a session.
///
/// Every connection is encrypted, no matter which preference is set. The preference decides which peers can share a
/// session: one that requires encryption and one that refuses it can't, as with Apple.
public enum MCEncryptionPreference: Int, Sendable {
    /// Accepts every peer.
    case optional = 0
    /// Refuses peers with the preference ``none``.
    case required = 1
    /// Refuses peers with the preference ``required``. The data is encrypted anyway.
    case none = 2

    /// True if two sessions can connect.
    func goesWith(_ other: MCEncryptionPreference) -> Bool {
        switch (self, other) {
        case (.required, .none), (.none, .required): false
        default: true
        }
    }
}
