import Ledger
import LinuxPlatform
import SessionRules
public import Vocabulary

extension Node {
    /// Blocks a peer: it gets no answer from now on. Sessions with it end at once and without a goodbye, as if a cable
    /// were cut.
    public func block(_ peer: PeerID, named name: InstanceName? = nil) async throws {
        try await context.store.setPolicy(.block, for: peer, name: name)
        note("blocked", about: peer)
        peers[peer]?.cutOff(because: .blocked)
        await updateRights(of: peer)
    }

    /// Answers a blocked peer again, by the policy that it had before. Returns that policy; nil for the default.
    public func unblock(_ peer: PeerID) async throws -> Policy? {
        let policy = try await context.store.unblock(peer)
        try await context.store.note("unblocked", about: peer)
        await updateRights(of: peer)
        return policy
    }

    /// Removes the entry of a peer. Everything with it ends at once, as with a block. When the peer connects again, it
    /// is unknown.
    ///
    /// - Returns: true if there was an entry
    @discardableResult
    public func forget(_ peer: PeerID) async throws -> Bool {
        guard try await context.store.forget(peer) else { return false }
        try await context.store.note("forgotten", about: peer)
        cutOffForgotten(peer)
        await updateRights(of: peer)
        return true
    }

    /// Sets the policy for a peer's invitations; nil for the default.
    ///
    /// - Parameter name: the peer's name for itself (default: the stored one)
    public func setPolicy(_ policy: Policy?, for peer: PeerID, named name: InstanceName? = nil) async throws {
        if policy == .block { return try await block(peer, named: name) }
        try await context.store.setPolicy(policy, for: peer, name: name)
        note("policy-set", about: peer, [.init("policy", policy?.rawValue ?? "default")])
        await updateRights(of: peer)
    }

    /// Sets the policy for the invitations of peers without a policy of their own.
    public func setDefaultPolicy(_ policy: Policy) async throws {
        try await context.store.setDefaultPolicy(policy)
        try await context.store.note("policy-set", about: nil, [.init("policy", policy.rawValue)])
        events.reportLink(.machinesChanged)
        whenAnyRightsChange()
    }

    /// Sets the actions that are allowed to a peer.
    public func setPermissions(_ permissions: Permissions, for peer: PeerID) async throws {
        try await context.store.setPermissions(permissions, for: peer)
        peers[peer]?.setPermissions(permissions)
        await updateRights(of: peer)
    }

    /// Pairs a peer whose key the user has compared by other means than the code.
    public func trust(_ peer: PeerID, named name: InstanceName? = nil) async throws {
        try await context.store.pin(peer, name: name, note: nil)
        note("trusted", about: peer)
        await updateRights(of: peer)
    }

    /// Handles a new paired machine in the store, for which a machine of the household vouches.
    public func hasPaired(_ peer: PeerID) async { await updateRights(of: peer) }

    private func updateRights(of peer: PeerID) async {
        await updatePairedMachines()
        whenRightsChange(peer)
    }

    private func cutOffForgotten(_ peer: PeerID) {
        // A block keeps a peer out by itself, and admits it as before when the block ends.
        for session in sessions.values { session.keepOut(peer) }
        peers[peer]?.cutOff(because: .forgotten)
    }

    /// Reads the paired machines: the listener needs their addresses, the finder their names. Ends everything with a
    /// machine that is forgotten. If the store can't be read, the last reading counts.
    func updatePairedMachines() async {
        defer { events.reportLink(.machinesChanged) }
        let reading = known.beginReading()
        guard let stored = try? await context.store.peers().values, let forgotten = known.take(stored, from: reading)
        else { return }
        listener.admission.know(stored)
        for peer in forgotten {
            cutOffForgotten(peer)
            whenRightsChange(peer)
        }
        await finder.know(Set(stored.filter { $0.isPinned && $0.policy != .block }.compactMap(\.name)))
    }

    // MARK: Changes by other processes

    /// Follows the store: another process of the same user may block a peer or change its policy.
    func followStore() async {
        await context.writer.attempt { try await $0.removeExpiredInvitations() }
        await StoreFollower(context.store) {
            try await self.handleStoreChange()
        } report: { error in
            self.events.report(.trouble(error))
        }.run()
    }

    private func handleStoreChange() async throws {
        // This includes machines that are offline: without it, their next connection would cause a question to the
        // user.
        await updatePairedMachines()
        for known in try await context.store.peers().values {
            let peer = peers[known.id]
            if known.policy == .block { peer?.cutOff(because: .blocked) }
            peer?.setPermissions(known.permissions)
            // A caller may wait for a peer that has more rights now.
            if known.policy == .accept, peer?.link != nil { whenFound(known.id) }
        }
        for peer in peers.values where peer.link != nil || peer.isMember { whenRightsChange(peer.id) }
        whenAnyRightsChange()
    }
}
