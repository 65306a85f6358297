/// Whom a person means, and how much that is worth.
package struct MeantPeer: Hashable, Sendable {
    package let tag: PeerTag
    /// Whether its key was let in once.
    package let isPinned: Bool
    /// Whether it has ever shown that it has the key, or a person gave all of its id: not so where only an announcement says who it is.
    package let isProven: Bool

    init(_ tag: PeerTag, isPinned: Bool = false, isProven: Bool = true) {
        (self.tag, self.isPinned, self.isProven) = (tag, isPinned, isProven)
    }

    /// Throws where it would be given rights because of what anybody can announce.
    package func mayBeGivenRights() throws {
        guard isProven else { throw HouseholdError.unproven(tag) }
    }

    /// Throws where a pinned peer would have back what was taken from it, or lose its key, because of what anybody can announce.
    package func mayBeReset() throws {
        guard isProven || !isPinned else { throw HouseholdError.unproven(tag) }
    }
}
