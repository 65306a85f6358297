/// A file or folder is complete.
package struct ReceivedEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var name: String
    package var path: String
    package var kind: TransferKind
    package var bytes: UInt64
    package var transfer: Int?

    package var event: String { "received" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case name, path, kind, bytes, transfer
    }
}
