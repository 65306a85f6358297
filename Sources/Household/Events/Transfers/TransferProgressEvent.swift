/// The progress of a file or folder.
package struct TransferProgressEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var name: String
    package var done: UInt64
    package var total: UInt64
    package var transfer: Int
    package var direction: TransferDirection

    package init(
        _ direction: TransferDirection,
        _ machine: PeerTag,
        _ name: String,
        done: UInt64,
        total: UInt64,
        transfer: Int
    ) {
        (self.direction, self.machine, self.name) = (direction, machine, name)
        (self.done, self.total, self.transfer) = (done, total, transfer)
    }

    package var event: String { "progress" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case name
        case done = "bytes"
        case total, transfer
        case direction = "kind"
    }
}
