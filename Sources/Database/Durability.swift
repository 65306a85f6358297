/// What is to survive of a transaction.
package enum Durability: Sendable {
    /// Once written, it survives a power cut: promises depend on it.
    case promised
    /// It survives the end of the program at any instant; a power cut may take the last of it.
    case casual
}
