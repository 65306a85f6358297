/// The other machine has a message, a file or a folder.
package struct SentEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var bytes: UInt64
    /// Name on the other machine.
    package var name: String?
    package var path: String?
    package var transfer: Int?

    package init(_ machine: PeerTag, bytes: UInt64, name: String? = nil, path: String? = nil, transfer: Int? = nil) {
        (self.machine, self.bytes) = (machine, bytes)
        (self.name, self.path, self.transfer) = (name, path, transfer)
    }

    package var event: String { "sent" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case bytes, name, path, transfer
    }
}
