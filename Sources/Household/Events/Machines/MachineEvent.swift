/// An event about another machine that needs no further facts.
package struct MachineEvent: EventPayload, Codable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case joined, left, away, returned
        /// The two machines are paired now.
        case met
        case connected, waiting, declined, blocked, unblocked, forgotten, kept
    }

    package var kind: Kind
    package var machine: PeerTag
    /// Word of the reason, if it left or is away.
    package var reason: String?

    package init(_ kind: Kind, _ machine: PeerTag, because reason: String? = nil) {
        (self.kind, self.machine, self.reason) = (kind, machine, reason)
    }

    package var event: String { kind.rawValue }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case machine = "peer"
        case reason
    }
}
