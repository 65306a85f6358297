import Household
import Ledger
import SaveRules
import Session
import SessionRules
import Vocabulary

/// The routes that only read.
extension HouseholdRoutes {
    func status() async throws -> DaemonLine {
        let own = PeerTag(node.id, node.configuration.name)
        let metrics = try await Metrics(of: household)
        let counts = metrics.counts
        let present = counts["peers_present"] ?? 0
        let asking = household.waitingInvitations.compactMap(\.invitation?.machine)
        let shown = asking.prefix(5).map { "\n\($0.full) waits to be let in: `huddle accept \($0.id.short)`" }.joined()
        let more = asking.count > 5 ? "\nand \(asking.count - 5) more: `huddle events`" : ""
        let known = counts["peers_known"] ?? 0
        let isNew = known == 0 && present > 0 && asking.isEmpty
        let hint = isNew ? "; `huddle peers` says who, `huddle invite PEER` gets to know one" : ""
        let visibility = DaemonLine.visibility(node.visibility, of: node.configuration.name)
        let hidden = visibility?.sentence.map { "\n\($0)" } ?? ""
        let closed = household.folder.refusal.map { "\($0)" }
        let inbox = closed.map { "\nno files are taken: \($0)" } ?? ""
        let strangers = node.strangersClosing.map { "\n\(Self.sentence(of: $0))" } ?? ""
        let games = Self.sentence(of: metrics.games, offers: counts["offers"] ?? 0)
        let sentence = """
            \(own) (\(node.id.short))  port \(node.port)
            \(facts.presence)
            \(known) paired, \(present) online\(hint)\(shown)\(more)\(strangers)\(games)\(inbox)\(hidden)
            """
        var status = StatusInfo(
            own,
            version: facts.version,
            process: facts.presence.process,
            since: facts.presence.since.secondsSince1970,
            port: node.port,
            inbox: household.folder.path
        )
        status.inboxRefusal = closed
        switch visibility?.event {
        case .advertised(let event): status.foundAs = event.name
        case .hidden(let event): status.hiding = StatusInfo.Hiding(word: event.reason, message: event.message)
        default: break
        }
        (status.games, status.counts) = (await household.games(), counts)
        return DaemonLine(.status(status), sentence)
    }

    /// Returns the number of games in each state, and of offered games. The states that need the user come last, where
    /// the user notices them.
    private static func sentence(of games: [String: Int], offers: Int) -> String {
        let known = GameStatus.allCases.filter { games[$0.rawValue] != nil }
        let parts = (known.filter { !$0.needsUser } + known.filter(\.needsUser)).map { status in
            let words = status.needsUser ? status.words.uppercased() : status.words
            return "\(games[status.rawValue] ?? 0) \(words)"
        }
        let count = games.values.reduce(0, +)
        let list = known.contains(where: \.needsUser) ? ": `huddle list`" : ""
        let counted = "\(count) \(count == 1 ? "game" : "games"): \(parts.joined(separator: ", "))\(list)"
        let states = count == 0 ? "" : "\n\(counted)"
        let are = offers == 1 ? "game is" : "games are"
        let offered = "\n\(offers) \(are) offered to this machine: `huddle list`"
        return states + (offers == 0 ? "" : offered)
    }

    /// Explains why invitations of new machines are not shown, and names the next step.
    private static func sentence(of closing: StrangersClosing) -> String {
        let until =
            switch closing {
            case .untilAnswered: "Until you answer one"
            case .pause(let seconds): "For \((seconds + 59) / 60) min"
            }
        return "Machines that are new asked too often. \(until), only those at other addresses are shown.\n"
            + "`huddle invite PEER` from here gets to know yours."
    }

    /// Returns the name and ID of this machine.
    func identity(named name: InstanceName) -> DaemonLine {
        let sentence = """
            name   \(name)
            id     \(node.id)
            short  \(node.id.short)
            key    \(PrintableText(node.keyPath, limit: 4096))
            """
        return DaemonLine(.identity(IdentityEvent(PeerTag(node.id, name), keyPath: node.keyPath)), sentence)
    }

    /// Returns the waiting invitations, or the one that the request names.
    func invitations(_ call: RouteCall) async throws -> [DaemonLine] {
        let all = household.waitingInvitations
        guard let typed = call.query["peer"] else { return all }
        let id = try await MachineLookup(ledger).invitation(from: typed)?.id.description
        guard let meant = all.first(where: { $0.invitation?.invitation == id }) else {
            throw household.nothingWaits(typed)
        }
        return [meant]
    }

    /// Sends the present state first, so that a reader that follows later misses nothing.
    func events() -> RouteAnswer {
        let reader = household.events.follow()
        let past = [household.ready] + household.waitingInvitations
        return .follow { tell in
            for line in past { try await tell(line) }
            while let latest = await reader.next() {
                for line in latest { try await tell(line) }
            }
        }
    }

    /// Reads one entry at a time: sixty-four messages of a megabyte would use half of the daemon's memory.
    func inbox() async throws -> RouteAnswer {
        let numbers = try await ledger.inbox.numbers()
        return .follow { tell in
            var unreadable = 0
            for number in numbers {
                do {
                    guard let item = try await ledger.inbox.item(number) else { continue }
                    try await tell(DaemonLine.arrived(item))
                } catch let error as LedgerError where error.code == LedgerError.unreadableCode {
                    unreadable += 1
                }
            }
            guard unreadable > 0 else { return }
            let why = "they were written by a newer huddle or changed by hand"
            try await tell(DaemonLine.trouble("\(unreadable) entries can't be read: \(why)"))
        }
    }

    func peers() async throws -> [DaemonLine] {
        await node.refreshAccounts()
        await node.probePeers()
        var isBlind = false
        if case .blind = node.visibility { isBlind = true }
        return PeerRows(
            known: try await ledger.peers().values,
            found: await node.foundPeers(),
            own: node.id
        ).line(
            defaultPolicy: try await ledger.defaultPolicy(),
            isBlind: isBlind,
            vouchers: try await ledger.statements.vouchers(),
            removed: household.vouching.removed(),
            account: { node.account(of: $0) }
        )
    }

    func policies() async throws -> [DaemonLine] {
        let common = try await ledger.defaultPolicy()
        return try await ledger.peers().values.map { .policy($0, common) } + [.defaultPolicy(common)]
    }

    func log(_ call: RouteCall) async throws -> [DaemonLine] {
        let limit = call.query["limit"] ?? "100"
        guard let limit = Int(limit), (1...10_000).contains(limit) else {
            throw HouseholdError.badRequest("“limit” is a number from 1 to 10000")
        }
        var wanted: PeerID?
        if let typed = call.query["peer"] { wanted = try await MachineLookup(ledger).find(typed).id }
        let names = Dictionary(
            try await ledger.peers().values.map { ($0.id, $0.name) },
            uniquingKeysWith: { first, _ in first }
        )
        let entries = try await ledger.audit().values.filter { wanted == nil || $0.peer == wanted }
        return entries.prefix(limit).reversed().map { entry in
            .logged(entry, entry.peer.map { PeerTag($0, names[$0] ?? nil) })
        }
    }
}
