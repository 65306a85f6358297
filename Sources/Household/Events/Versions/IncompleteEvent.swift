/// The number of versions that are incomplete after a check.
package struct IncompleteEvent: EventPayload, Codable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        /// Damaged data was discarded.
        case repaired
        /// Nothing is damaged.
        case incomplete
    }

    package var kind: Kind
    package var count: Int64

    package init(_ kind: Kind, _ count: Int) { (self.kind, self.count) = (kind, Int64(count)) }

    package var event: String { kind.rawValue }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case count = "number"
    }
}
