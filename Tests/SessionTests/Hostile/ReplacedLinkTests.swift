import Ledger
import LinuxPlatform
import ScriptedPeers
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary
import Wire

@testable import Session

extension HostileSuites {
    /// Two links between the same two machines at the same moment, while the ledger is slow. All work that waited for
    /// the ledger continues over the link that stays.
    @Suite("Links that replace each other", .serialized, .timeLimit(.minutes(5)))
    @Engine
    struct ReplacedLinkTests {
        /// Long enough that a connection which a test needs does not fail on a busy machine.
        private static let patience = LinkHandshake.Patience(
            connect: .seconds(30),
            secure: .seconds(30),
            greet: .seconds(30)
        )

        /// Blocks all work that needs the ledger, until the gate is opened.
        private func holdLedger(of desk: TestNode) -> (gate: BlockingGate, held: Task<Void, any Error>) {
            let gate = BlockingGate()
            let ledger = desk.node.ledger
            let held = Task(executorPreference: EventLoop.shared.taskExecutor) {
                _ = try await ledger.change(.wrongCodes) { _ in gate.pass() }
            }
            return (gate, held)
        }

        /// The host's own connection to the node, after both have sent Hello.
        private func dial(_ desk: TestNode, as host: Identity, runToken: UInt64) async throws -> ScriptedPeer {
            let peer = try await ScriptedPeer.connected(to: desk.node, as: host)
            try await peer.say(.hello(try ScriptedPeer.hello(runToken: runToken)))
            guard case .hello = try await peer.hear() else { throw ScriptedPeer.Unexpected.frame }
            return peer
        }

        @Test("a machine whose welcome was lost with a replaced link joins when the inviter resumes")
        func lostWelcome() async throws {
            try await TestNode.with({ $0.patience.handshake = Self.patience }) { desk in
                let first = try await ScriptedPeer.trusted(by: desk.node)
                let invite = try first.invite(isCodeNeeded: false)
                try await first.begin(invite)
                _ = try await first.hear { if case .inviteAnswer(let answer) = $0 { answer.verdict } else { nil } }
                let second = try await dial(desk, as: first.identity, runToken: 1)
                _ = await first.hearToEnd()
                try await second.say(.resume(.init(session: invite.session, received: 0)))
                let received = try await second.hear {
                    if case .resume(let resume) = $0, resume.session == invite.session { resume.received } else { nil }
                }
                #expect(received == 0)
                let session = try await desk.nextJoined()
                try await session.send([7])
                let message = try await second.hear { if case .message(let message) = $0 { message } else { nil } }
                #expect(message.bytes.elementsEqual([7]))
            }
        }

        @Test("a machine whose answer was lost with a replaced link answers the invitation again")
        func lostAnswer() async throws {
            try await TestNode.with({ $0.patience.handshake = Self.patience }) { desk in
                let first = try await ScriptedPeer.trusted(by: desk.node)
                let invite = try first.invite(isCodeNeeded: false)
                try await first.begin(invite)
                _ = try await first.hear { if case .inviteAnswer(let answer) = $0 { answer.verdict } else { nil } }
                let second = try await dial(desk, as: first.identity, runToken: 1)
                _ = await first.hearToEnd()
                try await second.begin(invite)
                _ = try await second.hear { if case .inviteAnswer(let answer) = $0 { answer.verdict } else { nil } }
                try await second.say(.members(.init(session: invite.session, members: [])))
                _ = try await desk.nextJoined()
            }
        }

        @Test("an inviter that resumes a session before the machine has said yes breaks the protocol")
        func resumesTooEarly() async throws {
            try await TestNode.with({ $0.patience.handshake = Self.patience }) { desk in
                let peer = try await ScriptedPeer.askedAbout(by: desk.node)
                let invite = try peer.invite(isCodeNeeded: false)
                try await peer.begin(invite)
                try await peer.say(.resume(.init(session: invite.session, received: 0)))
                let (frames, _) = await peer.hearToEnd()
                #expect(frames.contains { if case .bye(.brokeProtocol) = $0 { true } else { false } })
                #expect(desk.node.members.isEmpty)
            }
        }

        @Test("a member of a mesh hears again of the others when its link is replaced")
        func listedAgain() async throws {
            try await TestNode.with({ $0.patience.handshake = Self.patience }) { desk in
                let (host, first, session) = try await ScriptedHost.invited(by: desk.node)
                let (other, second, _) = try await ScriptedHost.invited(by: desk.node, into: session)
                first.channel.abort()
                let again = try await host.greet()
                _ = try await again.hear { if case .resume = $0 { true } else { nil } }
                try await again.say(.resume(.init(session: session.id, received: 0)))
                let members = try await again.hear { if case .members(let list) = $0 { list.members } else { nil } }
                #expect(members.map(\.peer) == [other.identity.peerID])
                withExtendedLifetime(second) {}
            }
        }

        @Test("a link that was replaced while the ledger was asked about it takes nothing over")
        func replacedBeforeUse() async throws {
            try await TestNode.with({ $0.patience.handshake = Self.patience }) { desk in
                // The connection that Desk dials is the one that stays.
                var identity = Identity.ephemeral()
                while identity.peerID < desk.id { identity = .ephemeral() }
                let (host, first, session) = try await ScriptedHost.invited(by: desk.node, as: identity)
                first.channel.abort()
                let control = try await host.heard()
                let (gate, held) = holdLedger(of: desk)
                let replaced = try await dial(desk, as: identity, runToken: 1)
                try await control.say(
                    .hello(try ScriptedPeer.hello(listeningPort: host.listener.port))
                )
                _ = try await control.hear { if case .resume = $0 { true } else { nil } }
                gate.open()
                try await held.value
                _ = await replaced.hearToEnd()
                try await control.say(.resume(.init(session: session.id, received: 0)))
                _ = await control.isServed()
                try await session.send([7])
                let message = try await control.hear { if case .message(let message) = $0 { message } else { nil } }
                #expect(message.bytes.elementsEqual([7]))
            }
        }

        @Test("an invitation whose link the peer calls replaced, where nothing has replaced it, ends with that at once")
        func calledReplaced() async throws {
            try await TestNode.with({ $0.patience.handshake = Self.patience }) { desk in
                let host = try ScriptedHost(at: desk.node)
                let session = try desk.session()
                let address = try host.address
                let timer = Engine.schedule(at: .now + .seconds(5)) { desk.node.withdrawAll(for: session) }
                defer { timer.cancel() }
                async let outcome = desk.outcome(ofInviting: .address(address), into: session)
                let control = try await host.greet()
                _ = try await control.hear { if case .invite = $0 { true } else { nil } }
                try await control.say(.bye(.replaced))
                #expect(await outcome == .replaced)
            }
        }

        @Test("one of a peer's addresses is greeted at a time, however many answer")
        func oneGreeting() async throws {
            try await TestNode.with({ $0.patience.handshake = Self.patience }) { desk in
                let host = try ScriptedHost(at: desk.node)
                let other = try ScriptedHost(at: desk.node, as: host.identity)
                let (id, name) = (host.identity.peerID, try InstanceName("Mallory"))
                try await desk.node.trust(id, named: name)
                // The address that was seen last is dialled first.
                for address in [try other.address, try host.address] {
                    try await desk.node.ledger.saw(id, as: name, at: address)
                }
                let session = try desk.session()
                async let outcome = desk.outcome(ofInviting: .peer(id), into: session)
                let first = try await host.heard()
                let second = try await other.connected()
                try await first.say(.hello(try ScriptedPeer.hello(runToken: 1)))
                _ = try await first.hear { if case .invite = $0 { true } else { nil } }
                let heard = try? await second.hear()
                #expect(heard == nil || heard == .some(nil))
                desk.node.withdrawAll(for: session)
                #expect(await outcome == .withdrawn)
            }
        }

        @Test("an address that is secured and then says nothing leaves its turn to the next")
        func turnPasses() async throws {
            try await TestNode.with({ $0.patience.handshake.greet = .seconds(4) }) { desk in
                let host = try ScriptedHost(at: desk.node)
                let other = try ScriptedHost(at: desk.node, as: host.identity)
                let (id, name) = (host.identity.peerID, try InstanceName("Mallory"))
                try await desk.node.trust(id, named: name)
                for address in [try other.address, try host.address] {
                    try await desk.node.ledger.saw(id, as: name, at: address)
                }
                let session = try desk.session()
                async let outcome = desk.outcome(ofInviting: .peer(id), into: session)
                let silent = try await host.connected()
                let second = try await other.greet()
                _ = try await second.hear { if case .invite = $0 { true } else { nil } }
                desk.node.withdrawAll(for: session)
                #expect(await outcome == .withdrawn)
                withExtendedLifetime(silent) {}
            }
        }

        @Test("an invitation goes out over the link that replaced the first one while the ledger was asked")
        func inviteOverNewLink() async throws {
            try await TestNode.with({ $0.patience.handshake = Self.patience }) { desk in
                let host = try ScriptedHost(at: desk.node)
                let session = try desk.session()
                let address = try host.address
                async let outcome = desk.outcome(ofInviting: .address(address), into: session)
                let control = try await host.heard()
                let (gate, held) = holdLedger(of: desk)
                try await control.say(.hello(try ScriptedPeer.hello(runToken: 1)))
                #expect(await control.isHeard())
                let again = try await dial(desk, as: host.identity, runToken: 2)
                gate.open()
                try await held.value
                let invite = try await again.nextInvite()
                #expect(invite.session == session.id)
                desk.node.withdrawAll(for: session)
                #expect(await outcome == .withdrawn)
            }
        }
    }
}

extension TestNode {
    /// The reason why an invitation failed; nil if it did not.
    fileprivate func outcome(ofInviting target: Node.Target, into session: Session) async -> PartingReason? {
        do {
            try await node.invite(target, to: session)
            return nil
        } catch {
            return PartingReason(of: error)
        }
    }
}
