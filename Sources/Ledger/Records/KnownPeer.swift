import Database
public import Vocabulary

/// What the ledger knows about a peer.
public struct KnownPeer: Hashable, Sendable {
    /// How many addresses are kept; the last heard comes first.
    public static let addressLimit = 4

    /// The digest of its key.
    public let id: PeerID
    /// The name it was last heard under. It proves nothing.
    public var name: InstanceName?
    /// When its key was pinned; nil where it was not.
    public var pinnedSince: WallTime?
    /// What becomes of its invitations; nil where the default counts.
    public var policy: Policy?
    /// The policy of a blocked peer that `huddle unblock` gives back; nil for the default.
    public internal(set) var policyBeforeBlock: Policy?
    /// What it may do once it is in.
    public var permissions: Permissions
    /// When it was last there.
    public var lastSeen: WallTime?
    /// Where it was last reached, the latest first.
    public var addresses: [HostAndPort]
    /// How it was let in, in a few words for its owner.
    public var note: Label?

    /// Whether its key was pinned.
    public var isPinned: Bool { pinnedSince != nil }

    /// A peer that nothing is known about but its key and name.
    public init(id: PeerID, name: InstanceName? = nil) {
        self.id = id
        self.name = name
        permissions = .all
        addresses = []
    }
}

extension KnownPeer {
    init(_ row: Row) throws(UnreadableValue) {
        id = try row.peer("id")
        name = try row.optionalName("name")
        pinnedSince = try row.optionalTime("pinned_since")
        policy = try row.optionalPolicy("policy")
        policyBeforeBlock = try row.optionalPolicy("policy_before_block")
        permissions = try row.required(
            UInt8(exactly: try row.integer("permissions")).map(Permissions.init),
            "permissions"
        )
        lastSeen = try row.optionalTime("last_seen")
        addresses = try Self.addresses(in: try row.text("addresses"))
        note = try row.optionalLabel("note")
    }

    private static func addresses(in text: String) throws(UnreadableValue) -> [HostAndPort] {
        var found: [HostAndPort] = []
        for line in text.split(separator: "\n") {
            guard found.count < addressLimit, let address = try? HostAndPort(String(line)) else {
                throw UnreadableValue(column: "addresses")
            }
            found.append(address)
        }
        return found
    }

    var addressColumn: SQLValue {
        .text(addresses.prefix(Self.addressLimit).map(\.description).joined(separator: "\n"))
    }
}
