/// The receiver of a transfer answers again, and the transfer continues.
package struct TransferResumedEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var name: String
    package var transfer: Int

    package var event: String { "returned" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case name, transfer
    }
}
