import Discovery
import Ledger
package import LinuxPlatform
package import Session
import SessionRules
package import Vocabulary

/// Connects to peers for one caller: finds them, shows the code if they pair for the first time, and gets them into one
/// session.
@Engine
package final class Call {
    /// The terms of the first pairing with a peer.
    package struct PairingTerms: Sendable {
        /// True if the user accepts the key of the peer without a code.
        package var takesKey: Bool
        /// True if the user is asked again the next time.
        package var isForOnce: Bool

        package init(takesKey: Bool = false, isForOnce: Bool = false) {
            self.takesKey = takesKey
            self.isForOnce = isForOnce
        }
    }

    /// A receiver of the lines of this call alone.
    package typealias Listener = @Sendable (DaemonLine) async throws -> Void

    package let session: Session
    package let tell: Listener
    let household: Household
    /// The files and folders that the call sends, if it sends any.
    weak var sending: Sending?
    var names: [PeerID: InstanceName] = [:]
    private let pairing: PairingTerms
    private var met: [InvitationID: PeerTag] = [:]
    /// The peers that invited this machine as well, and whose code the user here must type.
    private var asked: Set<PeerID> = []
    /// True if the caller stays and listens once all are connected.
    private var stays = false
    private let isAlone = Resumption<Void>()
    /// Further lines that wait for a slow caller.
    private var asides: [DaemonLine] = []
    private static let asideLimit = 64
    /// Time without an answer after which the caller learns that the invitation waits.
    private static let silence = Duration.milliseconds(1500)

    private var node: Node { household.node }

    package init(
        of household: Household,
        named name: Label,
        _ pairing: PairingTerms,
        telling tell: @escaping Listener
    ) {
        self.household = household
        self.pairing = pairing
        self.tell = tell
        session = household.node.session(SessionConfiguration(name: name, topology: .star))
    }

    /// Runs the work while events of the session are handled, and leaves the session afterwards.
    package func run<Value: Sendable>(
        _ work: @escaping @Engine @Sendable () async throws -> Value
    ) async throws -> Value {
        household.begin(self)
        // The session is left even after a failure or a cancellation. The other machines learn it at once, and wait for
        // nothing.
        defer {
            session.leave()
            household.end(self)
        }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await self.household.follow(self.session, for: self)
                return nil
            }
            group.addTask { try await work() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    package func tag(_ peer: PeerID) -> PeerTag { PeerTag(peer, session.name(of: peer) ?? names[peer]) }

    /// Listens until the session is empty.
    package func remain() async throws {
        stays = true
        try await isAlone.valueUnlessCancelled()
    }

    // MARK: Connecting

    /// Gets a peer into the session.
    ///
    /// - Parameters:
    ///   - wait: time to look for the peer and to try to reach it
    ///   - patience: time that the user of the peer may take
    ///   - insists: true if silence is a reason to retry, too
    package func connect(
        _ typed: String,
        wait: Duration,
        patience: Duration? = nil,
        insists: Bool = false
    ) async throws -> PeerTag {
        let deadline = ContinuousClock.now + wait
        while true {
            switch await attempt(typed, until: deadline, patience) {
            case .success(let peer): return try await welcome(peer)
            case .failure(let error):
                guard ContinuousClock.now < deadline, Self.mayPass(error, insists) else {
                    throw await naming(typed, in: error)
                }
                try await EventLoop.shared.sleep(for: .milliseconds(500))
            }
        }
    }

    private func attempt(
        _ typed: String,
        until deadline: ContinuousClock.Instant,
        _ patience: Duration?
    ) async -> Result<PeerID, any Error> {
        do {
            let target = try await find(typed, until: deadline)
            if pairing.takesKey {
                guard case .peer(let peer) = target, PeerWords.name(typed, keyOf: peer) else {
                    throw HouseholdError.idNeeded(typed)
                }
            }
            return .success(
                try await node.invite(target, to: session, patience: patience, takesKey: pairing.takesKey)
            )
        } catch {
            return .failure(error)
        }
    }

    /// The error with the machine that it is about, and the time since which that machine is offline.
    private func naming(_ typed: String, in error: any Error) async -> any Error {
        guard let error = error as? SessionError else { return error }
        var known: KnownPeer?
        if case .one(let peer) = try? await node.ledger.find(typed) { known = peer }
        let name = known.map { "\(PeerTag($0.id, $0.name))" } ?? "“\(PrintableText(name: typed, limit: 80))”"
        switch error.reason {
        case .unreachable where error.code != "session.not-huddle":
            let seen = known?.lastSeen.map { "; it was last online \(TimeText.local($0))" } ?? ""
            return error.worded(
                "\(name) can't be reached\(seen)",
                nextStep: "switch it on and start huddle there; `huddle doctor` looks for what else is in the way"
            )
        case .timedOut: return error.worded("\(name): \(error.message)")
        default: return error
        }
    }

    /// True if the next attempt may succeed.
    static func mayPass(_ error: any Error, _ insists: Bool) -> Bool {
        switch (error as? SessionError)?.reason {
        case .unreachable, .lost, .replaced, .shuttingDown, .left: true
        case .timedOut: insists
        default: false
        }
    }

    private func welcome(_ peer: PeerID) async throws -> PeerTag {
        let tag = tag(peer)
        // The options that came with the code decide about the peer from now on.
        if asked.remove(peer) != nil { try await tell(DaemonLine.machine(.met, tag, "Paired with \(tag.full)")) }
        guard let met = met.first(where: { $0.value.id == peer })?.key else { return tag }
        self.met[met] = nil
        if !pairing.isForOnce { try await node.setPolicy(.accept, for: peer) }
        let note = pairing.isForOnce ? "; each time it connects you are asked" : ""
        try await tell(DaemonLine.machine(.met, tag, "Paired with \(tag.full)\(note)"))
        return tag
    }

    // MARK: Finding the peer

    private func find(_ typed: String, until deadline: ContinuousClock.Instant) async throws -> Node.Target {
        if let id = try? PeerID(typed) { return .peer(id) }
        switch try await node.ledger.find(typed) {
        case .one(let known):
            names[known.id] = known.name
            return .peer(known.id)
        case .several(let known): throw HouseholdError.ambiguousPeer(typed, known.map(\.id))
        case .none: break
        }
        if let address = try? HostAndPort(typed) { return .address(address) }
        return .peer(try await findOnNetwork(typed, until: deadline))
    }

    /// Polls, because the browser's events have another reader already and the peer appears within seconds.
    private func findOnNetwork(_ typed: String, until deadline: ContinuousClock.Instant) async throws -> PeerID {
        repeat {
            let seen = await node.foundPeers().compactMap { found in found.id.map { (found.peer.name, $0) } }
            let ids = Set(seen.filter { PeerWords.mean(typed, name: $0.0, id: $0.1) }.map(\.1)).subtracting([node.id])
            if let id = ids.first, ids.count == 1 { return id }
            if ids.count > 1 { throw HouseholdError.ambiguousPeer(typed, ids.sorted()) }
            try await EventLoop.shared.sleep(for: .milliseconds(100))
        } while ContinuousClock.now < deadline
        let seen = await node.foundPeers().compactMap { found -> InstanceName? in
            if case .advertised(let name) = found.peer.origin { name } else { nil }
        }
        throw HouseholdError.unknownPeer(typed, near: try await node.ledger.peers().values.compactMap(\.name) + seen)
    }
}

// MARK: - Lines from the household

extension Call {
    /// Sends a line that is not for this call alone. A slow caller misses the lines beyond its limit, as the call does
    /// not wait for it.
    func tellAside(_ line: DaemonLine) {
        guard asides.count < Self.asideLimit else { return }
        asides.append(line)
        guard asides.count == 1 else { return }
        node.tasks.add {
            while let next = self.asides.first {
                try? await self.tell(next)
                self.asides.removeFirst()
            }
        }
    }

    /// Notes that the peer has invited this machine as well, and that its code is the one to type.
    func puts(_ question: DaemonLine) {
        guard let invitation = question.invitation, invitation.needsCode else { return tellAside(question) }
        let peer = invitation.machine
        asked.insert(peer.id)
        // If both machines invite at once, the code of the invitation that gives way may be on the screen by now.
        let voided = met.filter { $0.value.id == peer.id }.keys
        for invitation in voided { met[invitation] = nil }
        var question = question
        if !voided.isEmpty {
            question.sentence = "\(peer.full) invites this machine as well, so the code above does not count"
        }
        tellAside(question)
    }

    /// Shows the code without making others wait for a slow caller. If the caller can't show the code, the machines do
    /// not pair.
    func show(_ code: PairingCode, of invitation: InvitationID, _ peer: PeerTag) {
        names[peer.id] = peer.name
        met[invitation] = peer
        let sentence =
            "\(peer.full) is new here. Type this code there: \(code)\n"
            + "If it does not ask for it, run there: huddle pair"
        let event = CodeEvent(machine: peer, invitation: invitation.description, code: code.digits)
        let line = DaemonLine(.code(event), sentence)
        node.tasks.add {
            do {
                try await self.tell(line)
            } catch {
                self.node.withdraw(invitation)
            }
        }
    }

    /// Notes that the invitation has reached the peer. If no answer follows for a while, the peer may be asking its
    /// user. It may also block this machine, and then it does not say so.
    func wasDelivered(_ invitation: InvitationID, _ peer: PeerID) {
        node.tasks.add {
            try? await EventLoop.shared.sleep(for: Self.silence)
            guard self.household.call(of: invitation) === self, self.met[invitation] == nil else { return }
            let tag = self.tag(peer)
            let sentence = "waiting for \(tag); its user may have to accept this machine"
            self.tellAside(DaemonLine.machine(.waiting, tag, sentence))
        }
    }

    func heard(_ line: DaemonLine) async throws {
        if stays { try await tell(line) }
    }

    func isAway(_ peer: PeerID, _ reason: PartingReason) async throws {
        let tag = tag(peer)
        try await heard(.machine(.away, tag, "\(tag) is offline (\(reason.word))", because: reason.word))
        try await sending?.isAway(tag, SessionError(reason).code)
    }

    func isBack(_ peer: PeerID) async throws {
        let tag = tag(peer)
        try await heard(DaemonLine.machine(.returned, tag, "\(tag) is back"))
        try await sending?.isBack(tag)
    }

    /// Notes that a peer is connected, also after its program restarted and it counted as offline.
    func isIn(_ peer: PeerID) async throws { try await sending?.isBack(tag(peer)) }

    func hasLeft(_ peer: PeerID, _ reason: PartingReason) async throws {
        let tag = tag(peer)
        try await heard(.machine(.left, tag, "\(tag) has left (\(reason.word))", because: reason.word))
        if stays, session.peers.isEmpty { isAlone.resume(with: .success(())) }
    }
}
