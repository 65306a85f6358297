/// An entry of the inbox.
package struct InboxItemEvent: EventPayload, Codable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case file, folder, message
    }

    package var kind: Kind
    package var machine: PeerTag
    package var number: Int64
    /// Seconds since 1970.
    package var cameAt: Int64
    package var bytes: UInt64
    /// True until it is marked as seen.
    package var isNew: Bool
    /// Name of a file or folder.
    package var name: String?
    package var path: String?
    package var content: MessageContent?

    package var event: String { kind.rawValue }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case machine = "peer"
        case number
        case cameAt = "time"
        case bytes
        case isNew = "new"
        case name, path, content
    }
}
