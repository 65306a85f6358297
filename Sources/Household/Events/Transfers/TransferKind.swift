/// The kind of what a machine sends.
package enum TransferKind: String, Codable, Sendable {
    case file, folder
    /// An archive of `huddle state push`.
    case state
}
