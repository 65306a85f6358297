package import Vocabulary

/// A stream begins or ends.
package struct StreamEvent: EventPayload, Codable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case begun = "stream"
        case ended = "stream-ended"
        case broken = "stream-broke"
        /// A program waits for the next stream of the name.
        case awaited = "awaiting"
        /// A program may write.
        case open = "stream-open"
    }

    package var kind: Kind
    package var machine: PeerTag?
    package var name: String
    /// File that gets its bytes.
    package var path: String?
    package var bytes: UInt64?
    /// Number of the stream in the API.
    package var transfer: Int?
    /// Code of the error that broke it.
    package var reason: String?

    package init(
        _ kind: Kind,
        _ machine: PeerTag?,
        _ name: Label,
        path: String? = nil,
        bytes: UInt64? = nil,
        transfer: Int? = nil,
        reason: String? = nil
    ) {
        (self.kind, self.machine, self.name, self.path) = (kind, machine, name.text, path)
        (self.bytes, self.transfer, self.reason) = (bytes, transfer, reason)
    }

    package var event: String { kind.rawValue }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case machine = "peer"
        case name, path, bytes, transfer, reason
    }
}
