import LinuxPlatform
package import Vocabulary

/// The machines of the household that vouch for each other, as far as a person decides about them.
package struct Vouching: Sendable {
    /// The machines that others removed from the household and that this machine has, each with those that removed it.
    package var removed: @Engine @Sendable () -> [PeerID: [PeerID]]
    /// The person keeps a machine. Answers false if no other machine removed it.
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
