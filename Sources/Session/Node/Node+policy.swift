import Ledger
import LinuxPlatform
import SessionRules
public import Vocabulary
import Wire

extension Node {
    /// From now on a peer gets no answer. Live sessions with it end at once, without a word, as if a cable had been cut.
    public func block(_ peer: PeerID, named name: InstanceName? = nil) async throws {
        try await ledger.setPolicy(.block, for: peer, name: name)
        note("blocked", about: peer)
        cutOff(peer, because: .blocked)
        await knowPairedMachines()
        whenRightsChange(peer)
    }

    /// Answers a blocked peer again, by the policy that it had before; returns that, nil for the default.
    public func unblock(_ peer: PeerID) async throws -> Policy? {
        let policy = try await ledger.unblock(peer)
        try await ledger.note("unblocked", about: peer)
        await knowPairedMachines()
        whenRightsChange(peer)
        return policy
    }

    /// Removes what is known of a peer. What goes on with it ends at once, as with a block. It is a stranger, and a question when it comes again.
    ///
    /// - Returns: whether anything was known
    @discardableResult
    public func forget(_ peer: PeerID) async throws -> Bool {
        guard try await ledger.forget(peer) else { return false }
        try await ledger.note("forgotten", about: peer)
        cutOff(peer, because: .forgotten)
        await knowPairedMachines()
        whenRightsChange(peer)
        return true
    }

    /// What becomes of a peer's invitations; nil leaves it to the default.
    ///
    /// - Parameter name: what the peer calls itself (default: as it was known)
    public func setPolicy(_ policy: Policy?, for peer: PeerID, named name: InstanceName? = nil) async throws {
        if policy == .block { return try await block(peer, named: name) }
        try await ledger.setPolicy(policy, for: peer, name: name)
        note("policy-set", about: peer, [.init("policy", policy?.rawValue ?? "default")])
        await knowPairedMachines()
        whenRightsChange(peer)
    }

    /// What becomes of the invitations of peers that have no policy of their own.
    public func setDefaultPolicy(_ policy: Policy) async throws {
        try await ledger.setDefaultPolicy(policy)
        try await ledger.note("policy-set", [.init("policy", policy.rawValue)])
        whenAnyRightsChange()
    }

    /// What a peer may do.
    public func setPermissions(_ permissions: Permissions, for peer: PeerID) async throws {
        try await ledger.setPermissions(permissions, for: peer)
        for member in members.values where member.peer == peer { member.permissions = permissions }
        await knowPairedMachines()
        whenRightsChange(peer)
    }

    /// Takes a peer's key as proven, because a person compared it by other means than the code.
    public func trust(_ peer: PeerID, named name: InstanceName? = nil) async throws {
        try await ledger.pin(peer, name: name)
        note("trusted", about: peer)
        await knowPairedMachines()
        whenRightsChange(peer)
    }

    /// Ends everything with a peer that a person blocks or forgets. It learns nothing: its connection breaks.
    func cutOff(_ peer: PeerID, because reason: PartingReason) {
        for invitation in sentInvitations.values where invitation.peer == peer { invitation.linkLost(reason) }
        for request in receivedInvitations.values where request.peer == peer { request.linkLost(reason) }
        for member in members.values where member.peer == peer { drop(member, because: reason) }
        // A block keeps it out by itself, and lets it in as before when it ends.
        if reason == .forgotten { for session in sessions.values { session.keepOut(peer) } }
        links[peer]?.cut(because: reason)
    }

    /// How a peer came to be known.
    enum Acquaintance: String {
        case invited = "invited from here"
        case letIn = "let in by its invitation"

        var label: Label? { try? Label(rawValue) }
    }

    /// The code was right, or the person takes the key as it is: it is known from now on.
    func pin(_ peer: PeerID, _ name: InstanceName, _ how: Acquaintance) {
        // When the link came up this was a stranger, of whom nothing is kept.
        let address = links[peer]?.peerAddress.flatMap { try? HostAndPort($0.description) }
        strangers.paired()
        write { ledger in
            try await ledger.pin(peer, name: name, note: how.label)
            try await ledger.saw(peer, as: name, at: address)
            await self.knowPairedMachines()
            try await ledger.set(Counter(), for: .wrongCodes(of: peer))
            try await ledger.note("pinned", about: peer, [])
            await self.whenRightsChange(peer)
        }
    }

    // MARK: Wrong codes

    /// Codes that were wrong with others don't shut a friend out: it needs none.
    func isLockedOut(_ peer: PeerID, isPinned: Bool) async throws -> Bool {
        let now = WallTime.now.secondsSince1970
        let own = try await ledger.counter(.wrongCodes(of: peer)).lockOut(.perKey)
        let overall = try await ledger.counter(.wrongCodes).lockOut(.overall)
        return own.secondsLeft(at: now) > 0 || !isPinned && overall.secondsLeft(at: now) > 0
    }

    /// A machine has had its guess, for the key and for all strangers together. A person let it have that, by showing a code or by typing one,
    /// so no stranger can lock others out by itself.
    func countWrongCode(of peer: PeerID) {
        note("wrong-code", about: peer)
        write { ledger in
            let now = WallTime.now.secondsSince1970
            try await ledger.change(.wrongCodes(of: peer)) { $0.countWrongCode(.perKey, at: now) }
            try await ledger.change(.wrongCodes) { $0.countWrongCode(.overall, at: now) }
        }
    }

    // MARK: What other processes write

    /// Another process of the same person may block or change policy.
    func followLedger() async {
        do {
            try await ledger.removeExpiredInvitations()
        } catch let error as any ExplainedError {
            tell(.trouble(error))
        } catch {}
        await LedgerFollowing(ledger: ledger) {
            try await self.takeUpChanges()
        } tell: { error in
            self.tell(.trouble(error))
        }.run()
    }

    private func takeUpChanges() async throws {
        // Also those that are away for the moment: whoever comes back is not asked about again.
        await knowPairedMachines()
        for known in try await ledger.peers().values {
            if known.policy == .block { cutOff(known.id, because: .blocked) }
            for member in members.values where member.peer == known.id { member.permissions = known.permissions }
            // Whoever may do more than before may be waited for.
            if known.policy == .accept, links[known.id] != nil { whenFound(known.id) }
        }
        // Also those who are away for the moment.
        for peer in Set(links.keys).union(members.values.map(\.peer)) { whenRightsChange(peer) }
        whenAnyRightsChange()
    }

    func refreshPermissions(of member: Member) {
        crew.add {
            guard let known = try? await self.ledger.peer(member.peer) else { return }
            member.permissions = known.permissions
        }
    }
}

extension Counter {
    func lockOut(_ rule: LockOut.Rule) -> LockOut {
        LockOut(rule, count: Int64(count), until: lockedUntil?.secondsSince1970 ?? 0)
    }

    mutating func countWrongCode(_ rule: LockOut.Rule, at now: Int64) {
        var lockOut = lockOut(rule)
        lockOut.count(at: now)
        self = Counter(count: Int(lockOut.count), lockedUntil: WallTime(secondsSince1970: lockOut.until))
    }
}
