import CommandTable
import Discovery
import Ledger
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Goes to peers: finds them, lets a person compare the code where it is the first meeting, and gets them into one session.
@Engine
final class Caller {
    let node: Node
    let report: SessionReport
    let session: Session
    private let answer: CodeAnswer
    private let isForOnce: Bool
    private let questions: Questions
    private var names: [PeerID: InstanceName] = [:]
    private var met: Set<PeerID> = []
    private var lacksPerson = false

    init(_ node: Node, _ report: SessionReport, _ session: Session, _ given: GivenValues, _ answer: CodeAnswer) {
        self.node = node
        self.report = report
        self.session = session
        self.answer = answer
        isForOnce = given[CallOptions.once]
        questions = Questions(report)
    }

    /// Does the work while events are followed and questions answered, and leaves the session afterwards.
    func run(_ work: @escaping @Engine @Sendable () async throws -> ExitCode) async throws -> ExitCode {
        // Also when it fails or is ended with Ctrl-C: the others hear it at once, and wait for nothing.
        defer { session.leave() }
        do {
            return try await carryOut(work)
        } catch {
            try? await questions.close()
            throw error
        }
    }

    private func carryOut(_ work: @escaping @Engine @Sendable () async throws -> ExitCode) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await self.follow()
                return nil
            }
            if answer == .person {
                group.addTask {
                    try await self.questions.read()
                    // Nobody will answer any more.
                    await self.node.withdrawAll(for: self.session)
                    return nil
                }
            }
            group.addTask { try await work() }
            while let code = try await group.next() {
                if let code { return code }
            }
            return .failure
        }
    }

    func tag(_ peer: PeerID) -> PeerTag { PeerTag(peer, session.name(of: peer) ?? names[peer]) }

    // MARK: Getting in

    /// Gets a peer into the session.
    ///
    /// - Parameters:
    ///   - wait: how long to look for it and to try to reach it
    ///   - patience: how long the person there may take
    ///   - insists: whether silence is a reason to try again, too
    func connect(
        _ typed: String,
        wait: Duration,
        patience: Duration = .seconds(30),
        insists: Bool = false
    ) async throws -> PeerTag {
        let deadline = ContinuousClock.now + wait
        while true {
            switch await attempt(typed, until: deadline, patience) {
            case .success(let peer): return try await welcome(peer)
            case .failure(let error):
                if lacksPerson { throw CommandError.personNeeded }
                guard ContinuousClock.now < deadline, Self.mayPass(error, insists) else { throw error }
                try await EventLoop.shared.sleep(for: .milliseconds(500))
            }
        }
    }

    private func attempt(
        _ typed: String,
        until deadline: ContinuousClock.Instant,
        _ patience: Duration
    ) async -> Result<PeerID, any Error> {
        do {
            let target = try await find(typed, until: deadline)
            return .success(try await node.invite(target, to: session, patience: patience))
        } catch {
            return .failure(error)
        }
    }

    /// Whether the next attempt may have a better end.
    static func mayPass(_ error: any Error, _ insists: Bool) -> Bool {
        switch (error as? SessionError)?.reason {
        case .unreachable, .lost, .replaced, .shuttingDown, .left: true
        case .timedOut: insists
        default: false
        }
    }

    private func welcome(_ peer: PeerID) async throws -> PeerTag {
        let tag = tag(peer)
        guard met.remove(peer) != nil else { return tag }
        if isForOnce {
            try await report.tell(SessionNews("met", tag, "\(tag.full) is known from now on"))
        } else {
            try await node.setPolicy(.accept, for: peer)
            let sentence = "\(tag.full) is known from now on, and comes in here without a question"
            try await report.tell(SessionNews("met", tag, sentence))
        }
        return tag
    }

    // MARK: Who is meant

    private func find(_ typed: String, until deadline: ContinuousClock.Instant) async throws -> Node.Target {
        if let id = try? PeerID(typed) { return .peer(id) }
        switch try await node.ledger.find(typed) {
        case .one(let known):
            names[known.id] = known.name
            return .peer(known.id)
        case .several(let known): throw CommandError.ambiguousPeer(typed, known.map(\.id))
        case .none: break
        }
        if let address = try? HostAndPort(typed) { return .address(address) }
        return .peer(try await findOnNetwork(typed, until: deadline))
    }

    /// Asks now and again, as the browser's own events have their reader already and it is a matter of seconds.
    private func findOnNetwork(_ typed: String, until deadline: ContinuousClock.Instant) async throws -> PeerID {
        repeat {
            let seen = await node.foundPeers().compactMap { found in found.id.map { (found.peer.name, $0) } }
            let ids = Set(seen.filter { PeerWords.mean(typed, name: $0.0, id: $0.1) }.map(\.1)).subtracting([node.id])
            if let id = ids.first, ids.count == 1 { return id }
            if ids.count > 1 { throw CommandError.ambiguousPeer(typed, ids.sorted()) }
            try await EventLoop.shared.sleep(for: .milliseconds(100))
        } while ContinuousClock.now < deadline
        throw CommandError.unknownPeer(typed)
    }

    // MARK: What happens meanwhile

    private func follow() async throws {
        while let event = await node.events.next() {
            switch event {
            case .code(let invitation, let peer, let name, let code):
                names[peer] = name
                met.insert(peer)
                try await show(code, of: invitation, PeerTag(peer, name))
            case .linked(let peer, let name): names[peer] = name
            case .keyChanged(let name, let known, let now):
                await report.complain(SessionWording.keyChanged(name, known, now))
            case .trouble(let error): await report.complain("\(error)")
            case .invited, .invitationOver, .delivered, .joined, .unlinked: break
            }
        }
    }

    private func show(_ code: PairingCode, of invitation: InvitationID, _ peer: PeerTag) async throws {
        let sentence = "\(peer.full) is new here; both screens show a code, and this one shows \(code)"
        try await report.tell(SessionNews("code", peer, sentence) { $0.code = code.digits })
        switch answer {
        case .yes: node.confirm(invitation)
        case .nobody:
            lacksPerson = true
            node.withdraw(invitation)
        case .person:
            let text = "Is \(code) on the other screen? [y]es / [n]o, or type the code there: "
            let question = Questions.Question(invitation: invitation, text: text) { [unowned self] line in
                await self.take(line, for: invitation, peer)
            }
            try await questions.put(question)
        }
    }

    private func take(_ line: String, for invitation: InvitationID, _ peer: PeerTag) async -> Bool {
        switch PersonalAnswer(line) {
        case .yes, .once: node.confirm(invitation)
        case .code(let code): node.confirm(invitation, typed: code)
        case .no: node.withdraw(invitation)
        case .block, .unclear: return false
        }
        try? await report.tell(SessionNews("confirmed", peer, "waiting for \(peer)"))
        return true
    }
}
