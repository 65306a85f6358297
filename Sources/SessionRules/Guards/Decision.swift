public import Vocabulary

/// What the policy makes of an invitation, with the word that goes into the audit.
///
/// Only who is let in by policy ever gets an answer that no person gave. Everybody else gets silence, so that nobody can
/// tell block, lock-out and an empty room apart.
public struct Decision: Hashable, Sendable {
    /// What to do.
    public enum Verdict: Hashable, Sendable {
        /// Say yes without a question. Where a code is needed, a person still confirms it.
        case accept
        /// A person decides.
        case ask
        /// Say no: the peer is trusted enough to be told.
        case refuse(PartingReason)
        /// Do as if nobody were there.
        case silence
    }

    /// What is known about a key and this machine.
    public struct Facts: Hashable, Sendable {
        /// What was set for this key, if anything was.
        public var policyOfKey: Policy?
        /// What holds for keys without a policy of their own.
        public var defaultPolicy: Policy
        /// Whether a code was confirmed for this key before.
        public var isPinned: Bool
        /// Whether wrong codes have locked this key, or all unknown ones, out for now.
        public var isLockedOut: Bool
        /// What the key may do once it is in.
        public var permissions: Permissions
        /// Whether there is no room.
        public var isFull: Bool

        /// An unknown key, on a machine that asks and has room, which may do everything once a person lets it in.
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

    /// What to do.
    public let verdict: Verdict
    /// Why, as a stable word for the audit. It never leaves this machine.
    public let auditWord: String

    /// - Parameter facts: what is known at the moment of the invitation
    public init(_ facts: Facts) {
        (verdict, auditWord) = Self.judge(facts)
    }

    private init(_ verdict: Verdict, _ auditWord: String) {
        self.verdict = verdict
        self.auditWord = auditWord
    }

    /// What is made of an invitation that this side has asked for: from whom it invites itself, or who was introduced by a
    /// member of the session.
    public static let welcome = Decision(.accept, "expected")

    /// The same for an invitation into a session of this machine by somebody who is not in it and was not introduced: nobody
    /// is asked, and only friends are told.
    public var refusingIntrusion: Decision {
        switch verdict {
        case .accept: Decision(.refuse(.notPermitted), "intrusion")
        case .ask: Decision(.silence, "intrusion")
        case .refuse, .silence: self
        }
    }

    /// The same where strangers have asked the person enough: see ``StrangerAllowance``.
    public var silencedByCrowd: Decision { Decision(.silence, "not-asked") }

    private static func judge(_ facts: Facts) -> (Verdict, String) {
        switch facts.policyOfKey ?? facts.defaultPolicy {
        case .block: (.silence, facts.policyOfKey == nil ? "blocked-by-default" : "blocked")
        case _ where facts.isLockedOut: (.silence, "locked-out")
        case .accept where facts.isPinned: judgeFriend(facts)
        case _ where facts.isFull: (.silence, "full")
        // A policy that accepts is about keys that are known. A first meeting takes a code, and a code takes a person.
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
