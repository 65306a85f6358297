import Household
import Ledger
import Session
import SessionRules
import Vocabulary

/// The routes for the decisions of the user.
extension HouseholdRoutes {
    var deciding: [ControlRoute] {
        [
            ControlRoute(.answerInvitation) { call in
                try await answer(call)
            },
            ControlRoute(.followInvitation) { call in
                try follow(call)
            },
            ControlRoute(.changeName) { call in try await rename(call) },
            ControlRoute(.markInbox) { call in try await markLookedAt(call) },
            ControlRoute(.setDefaultPolicy) { call in
                try await setDefault(call)
            },
            ControlRoute(.setPolicy) { call in
                try await setPolicy(call)
            },
            ControlRoute(.blockPeer) { call in try await block(call) },
            ControlRoute(.unblockPeer) { call in
                try await unblock(call)
            },
            ControlRoute(.forgetPeer) { call in
                try await forget(call)
            },
        ]
    }

    private func answer(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("answer", "code", "always")
        let code = try code(of: fields)
        let answer: Node.Answer =
            switch try word(of: fields) {
            case "accept": .accept(typed: code)
            case "decline": .decline
            case "block": .block
            default: throw HouseholdError.badRequest("“answer” is accept, decline or block")
            }
        let always = try RouteCall.asked { try fields.flag("always") ?? false }
        try await household.answer(try invitation(call), answer, always: always)
        return .lines([DaemonLine.done()])
    }

    /// Follows an invitation. It asks for the outcome before the response begins, so that no event in between is
    /// missed.
    private func follow(_ call: RouteCall) throws -> RouteAnswer {
        let outcome = try household.outcome(of: try invitation(call))
        return .follow { tell in
            try await outcome { try await tell($0) }
            try await tell(DaemonLine.done())
        }
    }

    private func word(of fields: JSONFields) throws -> String? {
        try RouteCall.asked { try fields.text("answer") }
    }

    private func code(of fields: JSONFields) throws -> PairingCode? {
        guard let typed = try RouteCall.asked({ try fields.text("code") }) else { return nil }
        // An invalid code must not count as an answer without a code.
        guard let code = PairingCode(typed: typed) else { throw HouseholdError.badRequest("“code” has six digits") }
        return code
    }

    private func invitation(_ call: RouteCall) throws -> InvitationID {
        guard let id = call.values["invitation"].flatMap({ InvitationID(hexadecimal: $0) }) else {
            throw HouseholdError.badRequest("an invitation has 32 hexadecimal digits")
        }
        return id
    }

    // MARK: This machine

    private func rename(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("name")
        guard let typed = try RouteCall.asked({ try fields.text("name") }) else {
            throw HouseholdError.badRequest("“name” is missing")
        }
        let name: InstanceName
        do { name = try InstanceName(typed) } catch {
            throw HouseholdError.badRequest("“name” is no name for a machine: \(error.message)")
        }
        try await ledger.setDisplayName(name)
        return .lines([identity(named: name)])
    }

    private func markLookedAt(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("seen")
        guard let last = try RouteCall.asked({ try fields.integer("seen", as: Int64.self) }) else {
            throw HouseholdError.badRequest("“seen” is missing: the number of the last thing that was looked at")
        }
        try await ledger.inbox.markLookedAt(try await ledger.inbox.numbers(isNewOnly: true).filter { $0 <= last })
        return .lines([DaemonLine.done()])
    }

    // MARK: Policy

    private func setDefault(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("policy")
        let word = try RouteCall.asked { try fields.text("policy") ?? "" }
        guard let policy = Policy(rawValue: word) else { throw HouseholdError.noPolicy }
        try await node.setDefaultPolicy(policy)
        return .lines([DaemonLine.defaultPolicy(policy)])
    }

    private func setPolicy(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("policy", "allow")
        let meant = try await meant(call)
        let peer = meant.tag
        let words = try RouteCall.asked { try fields.texts("allow") }
        if words != nil { try meant.mayBeGivenRights() }
        if let word = try RouteCall.asked({ try fields.text("policy") }) {
            guard word == "default" || Policy(rawValue: word) != nil else { throw HouseholdError.noPolicy }
            if word == "default" || word == Policy.ask.rawValue { try meant.mayBeReset() }
            if word == Policy.accept.rawValue { try meant.mayBeGivenRights() }
            // A machine that is new here may have no other entry. With its name, the user can find it again.
            try await node.setPolicy(Policy(rawValue: word), for: peer.id, named: peer.name)
        }
        if let words {
            let permissions = try permissions(words)
            try await node.setPermissions(permissions, for: peer.id)
            try await ledger.note("permissions-set", about: peer.id, [.init("allow", permissions.words)])
        }
        guard let known = try await ledger.peer(peer.id) else { throw HouseholdError.neverMet(typed(call)) }
        return .lines([DaemonLine.policy(known, try await ledger.defaultPolicy())])
    }

    private func block(_ call: RouteCall) async throws -> RouteAnswer {
        let peer = try await meant(call).tag
        try await node.block(peer.id, named: peer.name)
        return .lines([DaemonLine.machine(.blocked, peer, "Blocked \(peer.full). To it, this machine looks offline.")])
    }

    private func unblock(_ call: RouteCall) async throws -> RouteAnswer {
        let meant = try await meant(call)
        try meant.mayBeReset()
        let peer = meant.tag
        guard try await ledger.peer(peer.id)?.policy == .block else {
            return .lines([DaemonLine.machine(.unblocked, peer, "\(peer.full) was not blocked")])
        }
        let (own, usual) = (try await node.unblock(peer.id), try await ledger.defaultPolicy())
        let sentence =
            switch own ?? usual {
            case .accept: "Unblocked \(peer.full). It connects without a question, as before."
            case .ask where meant.isPinned:
                "Unblocked \(peer.full). It asks each time; \(Self.remedy(for: meant))"
            case .ask: "Unblocked \(peer.full). It asks each time."
            case .block: "\(peer.full) has the policy of all machines, which are blocked; \(Self.remedy(for: meant))"
            }
        return .lines([DaemonLine.machine(.unblocked, peer, sentence)])
    }

    private static func remedy(for meant: NamedPeer) -> String {
        let command = "`huddle policy \(meant.tag.id.short) --set"
        // A peer that is not paired causes a question, whatever its policy is.
        return meant.isPinned ? "\(command) accept` lets it in without a question" : "\(command) ask` lets it ask"
    }

    private func typed(_ call: RouteCall) -> String { call.values["peer"] ?? "" }

    /// Returns the peer that the request means. A machine that is new here counts if it is visible.
    private func meant(_ call: RouteCall) async throws -> NamedPeer {
        let node = node
        return try await MachineLookup(ledger).find(typed(call)) {
            PeerRows(known: [], found: await node.foundPeers(), own: node.id).tags
        }
    }

    private func permissions(_ words: [String]) throws -> Permissions {
        var permissions: Permissions = []
        for word in words {
            guard let known = Permissions.named.first(where: { $0.word == word }) else {
                let choice = Permissions.named.map(\.word).joined(separator: ", ")
                throw HouseholdError.badRequest("“allow” lists what is permitted, of \(choice)")
            }
            permissions.formUnion(known.permission)
        }
        return permissions
    }

    private func forget(_ call: RouteCall) async throws -> RouteAnswer {
        let meant = try await meant(call)
        try meant.mayBeReset()
        let peer = meant.tag
        guard try await node.forget(peer.id) else { throw HouseholdError.neverMet(typed(call)) }
        return .lines([
            DaemonLine.machine(.forgotten, peer, "Forgot \(peer.full). The next time it takes a code again.")
        ])
    }
}

extension HouseholdError {
    static let noPolicy = HouseholdError.badRequest("“policy” is accept, ask or block, or for one peer default")
}
