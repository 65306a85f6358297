import Household
import Ledger
import Session
import SessionRules
import Vocabulary

/// What a person decides.
extension HouseholdRoutes {
    var deciding: [ControlRoute] {
        [
            ControlRoute("POST", "/v1/invitations/{invitation}", "let somebody in who waits, or not") { call in
                try await answer(call)
            },
            ControlRoute("PUT", "/v1/policy", "choose how those come in that have no policy of their own") { call in
                try await setDefault(call)
            },
            ControlRoute("PUT", "/v1/peers/{peer}/policy", "choose how a peer comes in and what it may do") { call in
                try await setPolicy(call)
            },
            ControlRoute("DELETE", "/v1/peers/{peer}", "make a known peer a stranger") { call in
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
        return .lines([SessionNews.done()])
    }

    private func word(of fields: JSONFields) throws -> String? {
        try RouteCall.asked { try fields.text("answer") }
    }

    private func code(of fields: JSONFields) throws -> PairingCode? {
        guard let typed = try RouteCall.asked({ try fields.text("code") }) else { return nil }
        // What was typed and is no code must not be taken for a yes without one.
        guard let code = PairingCode(typed: typed) else { throw HouseholdError.badRequest("“code” has six digits") }
        return code
    }

    private func invitation(_ call: RouteCall) throws -> InvitationID {
        guard let id = call.values["invitation"].flatMap({ InvitationID(hexadecimal: $0) }) else {
            throw HouseholdError.badRequest("an invitation has 32 hexadecimal digits")
        }
        return id
    }

    // MARK: Policy

    private func setDefault(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("policy")
        let word = try RouteCall.asked { try fields.text("policy") ?? "" }
        guard let policy = Policy(rawValue: word) else { throw HouseholdError.noPolicy }
        try await ledger.setDefaultPolicy(policy)
        try await ledger.note("policy-set", [.init("policy", word)])
        return .lines([SessionNews.defaultPolicy(policy)])
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
            // Blocked peers may be unknown otherwise; with their name they can be found again.
            if word == Policy.block.rawValue {
                try await node.block(peer.id, named: peer.name)
            } else {
                try await node.setPolicy(Policy(rawValue: word), for: peer.id)
            }
        }
        if let words {
            try await node.setPermissions(try permissions(words), for: peer.id)
            try await ledger.note("permissions-set", about: peer.id, [.init("allow", words.joined(separator: ","))])
        }
        guard let known = try await ledger.peer(peer.id) else { throw HouseholdError.unknownPeer(peer.id.short) }
        return .lines([SessionNews.policy(known, try await ledger.defaultPolicy())])
    }

    /// Also a stranger, as far as it is seen.
    private func meant(_ call: RouteCall) async throws -> MeantPeer {
        let node = node
        return try await Acquaintances(ledger).find(call.values["peer"] ?? "") {
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
        guard try await node.forget(peer.id) else { throw HouseholdError.unknownPeer(peer.id.short) }
        return .lines([SessionNews("forgotten", peer, "Forgot \(peer.full). The next time it takes a code again.")])
    }
}

extension HouseholdError {
    static let noPolicy = HouseholdError.badRequest("“policy” is accept, ask or block, or for one peer default")
}
