import LinuxPlatform
package import Vocabulary

/// The machines of the household that vouch for each other, as far as the user decides about them.
package struct Vouching: Sendable {
    /// The machines of this household that others removed, each with the machines that removed it.
    package var removed: @Engine @Sendable () -> [PeerID: [PeerID]]
    /// Keeps a machine for the user. Returns false if no other machine removed it.
    package var keep: @Engine @Sendable (PeerID) async throws -> Bool

    package init(
        removed: @escaping @Engine @Sendable () -> [PeerID: [PeerID]] = { [:] },
        keep: @escaping @Engine @Sendable (PeerID) async throws -> Bool = { _ in false }
    ) {
        (self.removed, self.keep) = (removed, keep)
    }
}

extension HouseholdError {
    package static func notRemoved(_ peer: PeerTag) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "command.not-removed"),
            "no machine has removed \(peer.full) from the household",
            nextStep: "run `huddle peers` to see the machines about which you can decide"
        )
    }
}
