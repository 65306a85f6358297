import Database
public import Vocabulary

/// A peer's entry in the ledger.
public struct KnownPeer: Hashable, Sendable {
    /// The number of kept addresses.
    public static let addressLimit = 4

    /// The digest of its key.
    public let id: PeerID
    /// The name that the peer last used. It proves nothing.
    public var name: InstanceName?
    /// The time when its key was pinned; nil if it was not.
    public var pinnedSince: WallTime?
    /// The policy for its invitations; nil for the default.
    public var policy: Policy?
    /// The policy of a blocked peer that `huddle unblock` restores; nil for the default.
    public internal(set) var policyBeforeBlock: Policy?
    /// The actions that are allowed to it once it is paired.
    public var permissions: Permissions
    /// The time when it was last online.
    public var lastSeen: WallTime?
    /// The addresses where it was last reached, the latest first.
    public var addresses: [HostAndPort]
    /// A few words for the owner about how it was paired.
    public var note: Label?

    /// True if its key was pinned.
    public var isPinned: Bool { pinnedSince != nil }

    /// Makes an entry with only a key and a name.
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

extension Permissions {
    /// The permissions that a machine needs to sync saves, which travel as messages and streams.
    public static let neededForSaves: Permissions = [.messages, .streams, .saveSets]
}
