package import Vocabulary

/// A file, folder or archive could not be received.
package struct NotReceivedEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var name: String?
    package var kind: TransferKind
    /// Code of the error.
    package var reason: String
    package var message: String
    package var transfer: Int?

    package init(
        _ kind: TransferKind,
        _ machine: PeerTag,
        _ error: any ExplainedError,
        name: String? = nil,
        transfer: Int? = nil
    ) {
        (self.machine, self.kind, self.name, self.transfer) = (machine, kind, name, transfer)
        (reason, message) = (error.code.description, error.message)
    }

    package var event: String { "not-received" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case name, kind, reason, message, transfer
    }
}
