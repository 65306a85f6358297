/// The daemon is online.
package struct ReadyEvent: EventPayload, Codable {
    /// This machine.
    package var machine: PeerTag
    package var port: UInt16
    /// Folder of received files.
    package var inbox: String
    /// Reason why the inbox takes no files.
    package var inboxRefusal: String?

    package var event: String { "ready" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case port
        case inbox = "path"
        case inboxRefusal = "because"
    }
}
