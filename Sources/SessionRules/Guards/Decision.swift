public import Vocabulary

/// The policy's decision about an invitation, with the word for the log.
///
/// Only machines that the policy accepts get an answer without the user. All others get silence, so that they can't
/// tell a block, a lock-out and an absent user apart.
public struct Decision: Hashable, Sendable {
    /// The outcome for the invitation.
    public enum Verdict: Hashable, Sendable {
        /// Accept without a question. If a code is needed, the user still confirms it.
        case accept
        /// The user decides.
        case ask
        /// Decline with an answer, since the peer is trusted.
        case refuse(PartingReason)
        /// Behave as if no user were present.
        case silence
    }

    /// The facts about a key and this machine.
    public struct Facts: Hashable, Sendable {
        /// The policy of this key; nil for the default policy.
        public var policyOfKey: Policy?
        /// The policy for keys without one of their own.
        public var defaultPolicy: Policy
        /// True if a code was confirmed for this key before.
        public var isPinned: Bool
        /// True if wrong codes have locked out this key, or all unknown keys, for now.
        public var isLockedOut: Bool
        /// The rights of the key in a session.
        public var permissions: Permissions
        /// True if the session has no place left.
        public var isFull: Bool

        /// The defaults are an unknown key with all rights, on a machine that asks and has a place left.
        public init(
            policyOfKey: Policy? = nil,
            defaultPolicy: Policy = .ask,
            isPinned: Bool = false,
            isLockedOut: Bool = false,
            permissions: Permissions = .all,
            isFull: Bool = false
        ) {
            self.policyOfKey = policyOfKey
            self.defaultPolicy = defaultPolicy
            self.isPinned = isPinned
            self.isLockedOut = isLockedOut
            self.permissions = permissions
            self.isFull = isFull
        }
    }

    /// The outcome.
    public let verdict: Verdict
    /// The reason as a fixed word for the log. It never leaves this machine.
    public let auditWord: String

    /// - Parameter facts: the facts at the moment of the invitation
    public init(_ facts: Facts) {
        (verdict, auditWord) = Self.judge(facts)
    }

    private init(_ verdict: Verdict, _ auditWord: String) {
        self.verdict = verdict
        self.auditWord = auditWord
    }

    /// The decision about an invitation that this side expects: this machine invites the peer itself, or a member of
    /// the session has introduced it.
    public static let welcome = Decision(.accept, "expected")

    /// The decision if the inviter names a session of this machine, without being in it or introduced to it. The user
    /// is not asked, and only trusted peers get an answer.
    public var refusingIntrusion: Decision {
        switch verdict {
        case .accept: Decision(.refuse(.notPermitted), "intrusion")
        case .ask: Decision(.silence, "intrusion")
        case .refuse, .silence: self
        }
    }

    /// The decision once strangers have asked the user often enough: see ``StrangerAllowance``.
    public var silencedByCrowd: Decision { Decision(.silence, "not-asked") }

    private static func judge(_ facts: Facts) -> (Verdict, String) {
        switch facts.policyOfKey ?? facts.defaultPolicy {
        case .block: (.silence, facts.policyOfKey == nil ? "blocked-by-default" : "blocked")
        case _ where facts.isLockedOut: (.silence, "locked-out")
        case .accept where facts.isPinned: judgeFriend(facts)
        case _ where facts.isFull: (.silence, "full")
        // The policy accept is for known keys. Pairing needs a code, and a code needs the user.
        case .accept: (.ask, "asked-unpinned")
        case .ask: (.ask, facts.isPinned ? "asked" : "asked-unpinned")
        }
    }

    private static func judgeFriend(_ facts: Facts) -> (Verdict, String) {
        if facts.isFull { return (.refuse(.full), "full") }
        if facts.permissions.isEmpty { return (.refuse(.notPermitted), "not-permitted") }
        return (.accept, facts.policyOfKey == nil ? "accepted-by-default" : "accepted")
    }
}
