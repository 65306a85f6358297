import Digests
import Ledger
public import LinuxPlatform
public import SaveRules
import Session
import SessionRules
public import Vocabulary

/// The statements by which the machines of a household vouch for each other. This machine makes them, sends them to
/// others, takes them from others, and acts on them.
///
/// They travel in the sessions for saves, which only machines of the household have.
@Engine
public final class HouseholdExchange {
    /// Receives each event, for users.
    public var whenChanged: @Engine (HouseholdChange) -> Void = { _ in }

    private let services: SaveServices
    private let connections: PeerConnections
    private let ledger: Ledger
    private let seal: VersionSeal
    private var statements: HouseholdStatements
    /// The standing of each known machine at the last look-up; nil before the first one.
    private var standings: HouseholdStatements.Standings?
    private var vouchedFor: Set<PeerID> = []
    /// The revision of the statements that each machine received last, while the daemon runs.
    private var sentRevisions: [PeerID: Int] = [:]
    private var allowances: [PeerID: StatementAllowance] = [:]
    /// The machines about which the user was asked.
    private var asked: Set<PeerID> = []
    /// Changes are made one after the other: each waits for the ledger in between.
    private let turn = AsyncMutex()

    init(_ services: SaveServices, _ connections: PeerConnections) {
        (self.services, self.connections) = (services, connections)
        (ledger, seal) = (services.ledger, services.seal)
        statements = HouseholdStatements(of: services.node.id)
    }

    // MARK: The ledger

    /// Reads the statements, and makes those that the daemon could not make before it ended.
    func begin() async {
        await trying { [self] in try await start() }
    }

    /// Starts on the first call only, because a machine may send a message before the daemon has reached ``begin()``.
    private func start() async throws {
        guard standings == nil else { return }
        var (stored, kept) = ([HouseholdStatement](), Set<HouseholdStatements.Pair>())
        for entry in try await ledger.statements.all().values {
            guard let statement = try? HouseholdStatement(decoding: entry.bytes, hashedBy: Digest.sha256) else {
                continue
            }
            stored.append(statement)
            if entry.isKept { kept.insert(.init(statement.voucher, about: statement.subject)) }
        }
        statements = HouseholdStatements(of: services.node.id, stored, kept: kept)
        try await look()
    }

    /// Looks up all machines after a user may have changed their rights.
    func looksAgain() async {
        await trying { [self] in
            // Before the start has read the statements, there is nothing to do: the start looks up all machines.
            if standings != nil { try await look() }
        }
    }

    /// Looks up all machines, and makes the statements that follow.
    private func look() async throws {
        let (known, forgotten) = (try await ledger.peers(), try await ledger.statements.forgottenMachines())
        vouchedFor = Set(try await ledger.statements.vouchers().keys)
        var now = forgotten.mapValues { _ in MachineStanding.forgotten }
        // The end of a block leaves an entry without a pairing and a policy. Such an entry changes nothing about a
        // forgotten machine.
        for peer in known.values where peer.standing != .stranger || now[peer.id] == nil {
            now[peer.id] = peer.standing
        }
        let said = statements.subjects(of: services.node.id)
        let names = Dictionary(known.values.map { ($0.id, $0.name) }) { first, _ in first }
        for peer in Set(now.keys).union(standings?.keys ?? [:].keys).union(said).sorted() {
            // An entry that can't be read may be of a machine of the household.
            guard now[peer] != nil || known.unreadable == 0 else {
                now[peer] = standings?[peer]
                continue
            }
            say(peer, names[peer] ?? nil, now[peer] ?? .stranger, wasForgotten: forgotten[peer] == true)
        }
        now = now.filter { $0.value != .forgotten || forgotten[$0.key] == false }
        standings = now
        statements.dropWorthless(now)
        try await ledger.statements.store(statements.takeChanges(), settled: forgotten.filter(\.value).map(\.key))
        tellAll()
        ask()
    }

    /// Makes the statement that follows from a new standing of a machine.
    /// - Parameter wasForgotten: true if the machine belonged to the household when a user forgot it, and no statement
    ///   says so yet
    private func say(_ peer: PeerID, _ name: InstanceName?, _ now: MachineStanding, wasForgotten: Bool) {
        let step = HouseholdStep(
            from: standings.map { $0[peer] ?? .stranger },
            to: now,
            hasSaid: statements.statement(of: services.node.id, about: peer)?.isPairing,
            isVouchedFor: vouchedFor.contains(peer)
        )
        switch step {
        case .vouch: statements.vouch(for: peer, named: name ?? self.name(of: peer), sealedBy: seal)
        case .nothing where !wasForgotten: break
        case .remove, .nothing: statements.remove(peer, named: name ?? self.name(of: peer), sealedBy: seal)
        }
    }

    /// Returns the name of a machine that may have no entry: the one in an earlier statement, or else its short ID.
    private func name(of peer: PeerID) -> InstanceName {
        if let earlier = statements.statement(of: services.node.id, about: peer)?.name { return earlier }
        guard let name = try? InstanceName(peer.short) else { preconditionFailure("nine letters are a name") }
        return name
    }

    // MARK: Other machines

    /// True if there are statements to send to a machine of the household.
    func hasNews(for peer: PeerID) -> Bool {
        guard standings?[peer] == .mine else { return false }
        return !statements.outgoing(to: peer, after: sentRevisions[peer] ?? 0).isEmpty
    }

    /// Sends all statements to a machine with a new session.
    func meets(_ peer: SavePeer) {
        sentRevisions[peer.id] = nil
        tell(peer)
    }

    private func tellAll() {
        for (peer, standing) in standings ?? [:] where standing == .mine && hasNews(for: peer) {
            if let there = connections.peers[peer], !there.presence.isEnding {
                tell(there)
            } else {
                let wait = Topology.waitBeforeDialling(from: services.node.id, to: peer)
                connections.connect(to: peer, after: wait)
            }
        }
    }

    private func tell(_ peer: SavePeer) {
        guard standings?[peer.id] == .mine else { return }
        let unsent = statements.outgoing(to: peer.id, after: sentRevisions[peer.id] ?? 0)
        sentRevisions[peer.id] = statements.revision
        guard !unsent.isEmpty else { return }
        peer.tasks.add { [self] in
            for message in HouseholdMessage.messages(for: unsent) {
                do {
                    try await peer.session.send(message.encoded)
                } catch {
                    // The machine gets the statements in the next session.
                    sentRevisions[peer.id] = nil
                    return
                }
            }
        }
    }

    /// Takes a message of a machine.
    func take(_ bytes: [UInt8], from peer: SavePeer) async {
        let message: HouseholdMessage
        do throws(SaveFormatError) {
            message = try HouseholdMessage(decoding: bytes, hashedBy: Digest.sha256)
        } catch {
            return connections.games.caught(peer, SaveRefusal(.format(error)), at: nil)
        }
        guard allowances[peer.id, default: StatementAllowance(at: .now)].take(message.statements.count, at: .now) else {
            return connections.games.caught(peer, SaveRefusal(.tooMuch), at: nil)
        }
        await trying { [self] in
            try await start()
            var rest = message.statements
            var hasAdmitted = false
            repeat {
                guard let ignored = take(rest, peer) else { break }
                rest = ignored
                try await ledger.statements.store(statements.takeChanges(), settled: [])
                // A voucher that was paired just now makes further statements valid.
                hasAdmitted = try await admit()
            } while hasAdmitted && !rest.isEmpty
            try await ledger.statements.store(statements.takeChanges(), settled: [])
            tellAll()
            ask()
        }
    }

    /// Takes statements. Returns those that were ignored; nil if the machine sent a forged one.
    private func take(_ statements: [HouseholdStatement], _ peer: SavePeer) -> [HouseholdStatement]? {
        var ignored: [HouseholdStatement] = []
        for statement in statements {
            switch self.statements.take(statement, standings ?? [:], checkedBy: .ed25519) {
            case .new: break
            case .ignored: ignored.append(statement)
            case .forged:
                connections.games.caught(peer, SaveRefusal(.format(SaveFormatError(.badStatement))), at: nil)
                return nil
            }
        }
        return ignored
    }

    /// Pairs the machines that the statements make machines of the household. Returns true if there was one.
    private func admit() async throws -> Bool {
        var hasAdmitted = false
        for admission in statements.admissions(standings ?? [:]) {
            let note = try? Label("vouched for by another machine")
            // The ledger decides last, because a user may decide otherwise in this moment.
            guard try await ledger.statements.admit(admission, note: note) else { continue }
            standings?[admission.subject] = .mine
            vouchedFor.insert(admission.subject)
            hasAdmitted = true
            services.node.audit("vouched", about: admission.subject, [.init("voucher", admission.voucher.description)])
            whenChanged(.vouched(admission.subject, named: admission.name, by: admission.voucher))
            await services.node.hasPaired(admission.subject)
        }
        return hasAdmitted
    }

    // MARK: The user

    /// The machines about which the user must decide, each with the machines that removed it.
    public var removed: [HouseholdStatements.Removed] { statements.removed(standings ?? [:]) }

    private func ask() {
        let removed = removed
        for one in removed where asked.insert(one.subject).inserted {
            let vouchers = one.vouchers.map { AuditEntry.Detail("by", $0.description) }
            services.node.audit("removed-elsewhere", about: one.subject, vouchers)
            whenChanged(.removed(one.subject, by: one.vouchers))
        }
        asked.formIntersection(removed.map(\.subject))
    }

    /// Keeps a machine that others removed, as the user decided. Returns false if none removed it.
    public func keep(_ peer: PeerID) async throws -> Bool {
        try await turn.alone {
            guard removed.contains(where: { $0.subject == peer }) else { return false }
            try await ledger.statements.keep(statements.keep(peer))
            asked.remove(peer)
            services.node.audit("kept", about: peer, [])
            return true
        }
    }

    private func trying(_ work: @Engine () async throws -> Void) async {
        await turn.alone {
            do {
                try await work()
            } catch let error as any ExplainedError {
                whenChanged(.trouble(error))
            } catch {
                // The daemon ends.
                return
            }
        }
    }
}
