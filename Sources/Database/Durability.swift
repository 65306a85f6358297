/// The durability of a transaction.
package enum Durability: Sendable {
    /// It survives a power cut: a promise depends on it.
    case promised
    /// It survives the end of the program at any moment; a power cut may lose the latest changes.
    case casual
}
