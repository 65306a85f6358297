/// Whom a person means, and how much that is worth.
package struct MeantPeer: Hashable, Sendable {
    package let tag: PeerTag
    /// True if its key is pinned.
    package let isPinned: Bool
    /// True if the machine has proven its key, or the user typed its whole ID. An announcement alone proves nothing.
    package let isProven: Bool

    init(_ tag: PeerTag, isPinned: Bool = false, isProven: Bool = true) {
        (self.tag, self.isPinned, self.isProven) = (tag, isPinned, isProven)
    }

    /// Throws where it would be given rights because of what anybody can announce.
    package func mayBeGivenRights() throws {
        guard isProven else { throw HouseholdError.unproven(tag) }
    }

    /// Throws where a pinned peer would have back what was taken from it, or lose its key, because of what anybody can
    /// announce.
    package func mayBeReset() throws {
        guard isProven || !isPinned else { throw HouseholdError.unproven(tag) }
    }
}
