/// The direction of a transfer.
package enum TransferDirection: String, Codable, Sendable {
    case sending, receiving
}
