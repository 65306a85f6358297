/// The machine that the user means, and how sure that is.
package struct NamedPeer: Hashable, Sendable {
    package let tag: PeerTag
    /// True if its key is pinned.
    package let isPinned: Bool
    /// True if the machine has proven its key, or the user typed its whole ID. An announcement alone proves nothing.
    package let isProven: Bool

    init(_ tag: PeerTag, isPinned: Bool = false, isProven: Bool = true) {
        (self.tag, self.isPinned, self.isProven) = (tag, isPinned, isProven)
    }

    /// Throws if the peer would receive rights because of an announcement, which any machine can make.
    package func mayBeGivenRights() throws {
        guard isProven else { throw HouseholdError.unproven(tag) }
    }

    /// Throws if an announcement would restore revoked rights of a pinned peer or delete its key. Any machine can make
    /// an announcement.
    package func mayBeReset() throws {
        guard isProven || !isPinned else { throw HouseholdError.unproven(tag) }
    }
}
