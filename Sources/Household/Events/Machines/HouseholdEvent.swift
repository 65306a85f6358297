/// A machine that another one vouches for, or that another one removed from the household.
package struct HouseholdEvent: EventPayload, Codable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case vouched
        case removed = "removed-elsewhere"
    }

    private struct Details: Codable, Hashable {
        var voucher: String
    }

    package var kind: Kind
    package var machine: PeerTag
    private var details: Details

    /// - Parameter voucher: id of the machine that vouches for it, or removed it
    package init(_ kind: Kind, _ machine: PeerTag, by voucher: String) {
        (self.kind, self.machine, details) = (kind, machine, Details(voucher: voucher))
    }

    /// Id of the machine that vouches for it, or removed it.
    package var voucher: String { details.voucher }
    package var event: String { kind.rawValue }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case machine = "peer"
        case details
    }
}
