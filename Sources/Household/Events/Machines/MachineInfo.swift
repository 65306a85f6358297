package import Vocabulary

/// Another machine, as this one knows it and sees it.
package struct MachineInfo: Hashable, Sendable {
    package var machine: PeerTag
    package var policy: Policy
    package var isPaired: Bool
    package var isOnline: Bool
    package var addresses: [String]
    /// Seconds since 1970.
    package var lastSeenAt: Int64?
    /// Version of Huddle there.
    package var version: String?
    /// Seconds by which the clock there is ahead of the one here.
    package var secondsAhead: Int64?
    /// Seconds since 1970 at which its key was pinned.
    package var pairedAt: Int64?
    /// The id of the machine that vouched for it; nil if the user paired it here.
    package var voucher: String?
    /// The ids of the machines that removed it from the household, if the user has not decided about it yet.
    package var removedBy: [String] = []

    package init(_ machine: PeerTag, policy: Policy, isPaired: Bool, isOnline: Bool, addresses: [String] = []) {
        (self.machine, self.policy) = (machine, policy)
        (self.isPaired, self.isOnline, self.addresses) = (isPaired, isOnline, addresses)
    }
}

extension MachineInfo: EventPayload {
    package var event: String { "peer" }

    package init(_ fields: JSONFields) throws {
        machine = try fields.required("peer") { try fields.peer($0) }
        policy = try fields.required("kind") { try fields.text($0).flatMap(Policy.init) }
        isPaired = try fields.required("known") { try fields.flag($0) }
        isOnline = try fields.required("present") { try fields.flag($0) }
        addresses = try fields.required("addresses") { try fields.texts($0) }
        lastSeenAt = try fields.integer("time")
        version = try fields.text("version")
        secondsAhead = try fields.integer("ahead")
        pairedAt = try fields.integer("pairedAt")
        voucher = try fields.text("voucher")
        removedBy = try fields.texts("removedBy") ?? []
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("peer", machine)
        fields.set("kind", policy.rawValue)
        fields.set("known", isPaired)
        fields.set("present", isOnline)
        fields.set("addresses", addresses)
        if let lastSeenAt { fields.set("time", lastSeenAt) }
        fields.set("version", version)
        if let secondsAhead { fields.set("ahead", secondsAhead) }
        if let pairedAt { fields.set("pairedAt", pairedAt) }
        fields.set("voucher", voucher)
        if !removedBy.isEmpty { fields.set("removedBy", removedBy) }
        return fields
    }
}
