import Ledger
package import Vocabulary

/// A request that this machine can't carry out, besides the errors of the engine.
package struct HouseholdError: ExplainedError {
    package let code: ErrorCode
    package let message: String
    package let nextStep: String

    package init(_ code: ErrorCode, _ message: String, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
    }

    /// - Parameter names: names that the user may have meant
    package static func unknownPeer(_ typed: String, near names: [InstanceName] = []) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "command.unknown-peer"),
            "no machine is known or seen here as “\(PrintableText(typed, limit: 80))”",
            nextStep:
                "\(guess(typed, names))`huddle peers` lists who is; a peer that is not seen can be given as host:port"
        )
    }

    /// The permissions for syncing saves that a policy leaves out, as options of `huddle policy`; empty if none.
    package static func missingForSaves(_ policy: Policy?, _ permissions: Permissions) -> String {
        var options: [String] = []
        if policy != .accept { options.append("--set accept") }
        if !permissions.isSuperset(of: .neededForSaves) {
            options.append("--allow \(permissions.union(.neededForSaves).words)")
        }
        return options.joined(separator: " ")
    }

    /// The refusal to share a game with a machine whose policy here lets it sync no saves; nil if it does.
    package static func notOfHousehold(
        _ peer: PeerTag,
        _ policy: Policy?,
        _ permissions: Permissions
    ) -> HouseholdError? {
        let missing = missingForSaves(policy, permissions)
        guard !missing.isEmpty else { return nil }
        return HouseholdError(
            ErrorCode(.notPermitted, "saves.not-of-household"),
            "\(peer) gets no games: its policy here lets it sync no saves, as that of a guest",
            nextStep: "if it is a machine of your household: huddle policy \(peer.id.short) \(missing)"
        )
    }

    /// The error for a name of a machine that never paired. Without its key, nothing is known of it.
    package static func neverMet(_ typed: String, near names: [InstanceName] = []) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "command.unknown-peer"),
            "no machine is known here as “\(PrintableText(typed, limit: 80))”",
            nextStep:
                "\(guess(typed, names))`huddle peers` lists who is, and who is there; `huddle invite PEER` gets to "
                + "know one"
        )
    }

    static func neverSeen(_ typed: String, near names: [InstanceName]) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "command.unknown-peer"),
            "no machine is known or seen here as “\(PrintableText(typed, limit: 80))”",
            nextStep:
                "\(guess(typed, names))`huddle peers` lists who is; who is not there now can be given by the whole id"
        )
    }

    /// A question before the hint; empty if no name is near, or if the near one needs escapes.
    private static func guess(_ typed: String, _ names: [InstanceName]) -> String {
        let plain = names.filter { $0.description == $0.text }.map(\.text)
        // A machine that is both known and seen counts once.
        return NearestName.of(typed, in: Set(plain).sorted()).map { "did you mean “\($0)”? " } ?? ""
    }

    /// The error if the folder of this machine's own data can't be written.
    static func unwritable(_ folder: String, _ cause: any Error) -> HouseholdError {
        HouseholdError(
            "household.unwritable",
            "nothing can be written into “\(PrintableText(folder, limit: 1_024))” (\(cause))",
            nextStep: "make room on that disk, or see to it that it is not mounted read-only, then start it again"
        )
    }

    static func unproven(_ peer: PeerTag) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "command.unknown-peer"),
            "that \(peer.full) is there is only announced, which any machine can do",
            nextStep: """
                `huddle invite \(peer.id.short)` gets to know it; what is done by its known name or its whole id \
                counts, and until then `huddle block \(peer.id.short)` gives it no answer
                """
        )
    }

    package static func ambiguousPeer(_ typed: String, _ ids: [PeerID]) -> HouseholdError {
        let list = ids.prefix(6).map(\.short).joined(separator: ", ")
        return HouseholdError(
            ErrorCode(.notFound, "command.ambiguous-peer"),
            "“\(PrintableText(typed, limit: 80))” may be any of \(list)",
            nextStep: "give the id instead of the name, or as much of it as tells them apart"
        )
    }

    static func mistakablePeer(_ typed: String, _ ids: [PeerID]) -> HouseholdError {
        let list = Set(ids).sorted().prefix(6).map(\.short).joined(separator: ", ")
        return HouseholdError(
            ErrorCode(.notFound, "command.ambiguous-peer"),
            "names that look like “\(PrintableText(name: typed, limit: 80))” belong to several machines: \(list)",
            nextStep: "give the id instead of the name, or as much of it as tells them apart"
        )
    }

    package static func codeNeeded(from typed: String) -> HouseholdError {
        HouseholdError(
            ErrorCode(.userNeeded, "command.user-needed"),
            "two machines that meet for the first time need a user who types the code of one at the other",
            nextStep: """
                run it on a terminal, or give the code that the other machine shows: \
                `huddle accept \(PrintableText(typed, limit: 80)) 482 913`
                """
        )
    }

    package static func idNeeded(_ typed: String) -> HouseholdError {
        HouseholdError(
            ErrorCode(.invalid, "command.id-needed"),
            "--yes takes a key without a code, so “\(PrintableText(typed, limit: 80))” is not enough: anyone can take "
                + "that name or address",
            nextStep:
                "give the id that `huddle status` shows on the machine you mean, or leave --yes out and use the code"
        )
    }

    /// - Parameter reason: the reason why the last one ended, if it is known
    package static func nothingWaits(_ typed: String, because reason: String? = nil) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "command.no-invitation"),
            "no invitation from “\(PrintableText(typed, limit: 80))” waits here\(reason.map { ": \($0)" } ?? "")",
            nextStep: "have the other side run `huddle invite` again; if that does not help, invite it from here"
        )
    }

    static func alreadyPresent(_ other: HouseholdPresence.Holder?) -> HouseholdError {
        let who = other.map { " (\($0))" } ?? ""
        return HouseholdError(
            "command.already-present",
            "another daemon of yours runs on this machine\(who)",
            nextStep: "use that one, end it first, or give this one its own --state"
        )
    }
}
