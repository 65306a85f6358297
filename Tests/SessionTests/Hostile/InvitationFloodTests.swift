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
    /// Invitations that arrive too often, too large, too late or in no order.
    @Suite("Invitations of a hostile peer", .timeLimit(.minutes(5)))
    @Engine
    struct InvitationFloodTests {
        @Test("ten thousand invitations over one link leave only one question behind")
        func flood() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                let context = [UInt8](repeating: 7, count: WireLimits.context)
                let before = OwnProcess.residentKiB()
                var most = 0
                for _ in 0..<100 {
                    var frames: [ControlFrame] = []
                    for place in 0..<100 {
                        frames.append(
                            .invite(
                                try peer.invite(isCodeNeeded: false, patience: .max, context: place < 5 ? context : [])
                            )
                        )
                    }
                    try await peer.say(frames)
                    most = max(most, desk.node.receivedInvitations.count)
                }
                _ = try await peer.echoes()
                #expect(most <= 1 && desk.node.receivedInvitations.count <= 1)
                #expect(desk.node.events.count <= 1024)
                #expect(OwnProcess.residentKiB() - before < (60 << 10) * OwnProcess.allowance)
                #expect(try await desk.node.ledger.invitations.waiting().values.count <= 1)
                // A question of a second unknown machine still reaches the user.
                let other = try await ScriptedPeer.greeted(by: desk.node, named: "Honest")
                let invite = try other.invite(isCodeNeeded: true)
                try await other.begin(invite)
                _ = try await other.echoes()
                let asked = try await desk.next {
                    if case .invited(let invitation) = $0, invitation.peer == other.id { invitation } else { nil }
                }
                #expect(asked.codeNeed == .there)
            }
        }

        @Test("a paired machine that is not accepted pushes nothing out of the log", arguments: [Policy.block, .ask])
        func unwelcome(policy: Policy) async throws {
            try await TestNode.with { desk in
                let identity = Identity.ephemeral()
                try await desk.node.trust(identity.peerID)
                try await desk.node.setPolicy(policy, for: identity.peerID)
                let peer = try await ScriptedPeer.greeted(by: desk.node, as: identity)
                for _ in 0..<100 {
                    try await peer.say(.invite(try peer.invite(isCodeNeeded: false)))
                    _ = try await peer.echoes()
                    try await othersTurn()
                }
                while !desk.node.arrivedInvites.isEmpty { _ = try await peer.echoes() }
                let entries = try await desk.node.ledger.audit().values
                #expect(
                    entries.count { ["blocked", "asked", "not-asked", "invitation-over"].contains($0.event) } <= 30
                )
            }
        }

        @Test("a thousand invitations, each for a purpose of its own, leave only a few open")
        func purposes() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                var most = 0
                for round in 0..<100 {
                    var frames: [ControlFrame] = []
                    for place in 0..<10 {
                        let purpose = InvitationPurpose.prefix + Array("\(round)-\(place)".utf8)
                        frames.append(.invite(try peer.invite(patience: .max, context: purpose)))
                    }
                    try await peer.say(frames)
                    _ = try await peer.echoes()
                    most = max(most, desk.node.receivedInvitations.count)
                }
                #expect((1...8).contains(most), "\(most)")
            }
        }

        @Test("the longest patience has a sensible limit")
        func patience() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                let invite = try peer.invite(patience: .max)
                try await peer.begin(invite)
                let asked = try await desk.nextInvitation()
                #expect(asked.deadline - .now <= InvitationPatience.longestAnswer)
            }
        }

        @Test("a friend can't fill the node with sessions")
        func manySessions() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                var (joined, refused) = (0, 0)
                for _ in 0..<100 {
                    let session = SessionID.random()
                    try await peer.say(.invite(try peer.invite(to: session, isCodeNeeded: false)))
                    switch try await peer.hear({
                        if case .inviteAnswer(let answer) = $0 { answer.verdict } else { nil }
                    }) {
                    case .accepted:
                        joined += 1
                        try await peer.say(.members(.init(session: session, members: [])))
                    case .refused(let reason):
                        #expect(reason == .full)
                        refused += 1
                    }
                }
                #expect(joined == 64 && refused == 36)
                #expect(await peer.isServed())
            }
        }

        @Test("sessions that a friend opens and leaves are forgotten")
        func passingSessions() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                for _ in 0..<100 {
                    let session = try await peer.enter()
                    try await peer.say(.leave(.init(session: session, reason: .left)))
                }
                _ = try await peer.echoes()
                #expect(desk.node.members.isEmpty)
                #expect(desk.node.sessions.isEmpty)
            }
        }

        @Test("a friend can't let itself into a session of this machine whose id it knows")
        func foreignSession() async throws {
            let (desk, deck) = (try await TestNode.open("Desk"), try await TestNode.open("Deck"))
            let (_, there) = try await deck.connect(to: desk)
            let peer = try await ScriptedPeer.trusted(by: deck.node)
            try await peer.say(.invite(try peer.invite(to: there.id, isCodeNeeded: false)))
            let verdict = try await peer.hear { if case .inviteAnswer(let answer) = $0 { answer.verdict } else { nil } }
            #expect(verdict == .refused(.notPermitted))
            await desk.stop()
            await deck.stop()
        }

        @Test("a member can't make the node know, or dial, the whole world")
        func introductions() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                for round in 0..<40 {
                    var members: [ControlFrame.Member] = []
                    for _ in 0..<128 {
                        members.append(
                            .init(
                                peer: Identity.someID(round),
                                name: try InstanceName("Noname"),
                                port: 9,
                                addresses: [MemberAddress(bytes: [127, 0, 0, 1])].compactMap { $0 }
                            )
                        )
                    }
                    try await peer.say(.members(.init(session: session, members: members)))
                }
                _ = try await peer.echoes()
                #expect(there.introduced.count <= 1_024)
                #expect(desk.node.dialler.dials.count <= 64)
                #expect(await peer.isServed())
                // It can't keep the node from learning of peers that another member names, either.
                #expect(!there.introduce(Identity.someID(40), by: peer.id))
                #expect(there.introduce(Identity.someID(40), by: Identity.someID(41)))
            }
        }

        @Test("a blocked peer that a member names is not dialled, and learns nothing")
        func blockedIntroduction() async throws {
            try await TestNode.with { desk in
                let (blocked, other) = (try hostDialledAtOnce(by: desk), try hostDialledAtOnce(by: desk))
                try await desk.node.block(blocked.identity.peerID)
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                _ = try await desk.nextJoined()
                let members = try [blocked, other].map { host in
                    ControlFrame.Member(
                        peer: host.identity.peerID,
                        name: try InstanceName("Somebody"),
                        port: host.listener.port,
                        addresses: [MemberAddress(bytes: [127, 0, 0, 1])].compactMap { $0 }
                    )
                }
                try await peer.say(.members(.init(session: session, members: members)))
                // This peer was named last, and is dialled all the same.
                _ = try await other.heard()
                await #expect(throws: SystemError.self) {
                    try await Engine.loop.withDeadline(.milliseconds(300), "connection") {
                        _ = try await blocked.connected()
                    }
                }
            }
        }

        /// A host that the node dials at once, because the node has the smaller ID.
        private func hostDialledAtOnce(by desk: TestNode) throws -> ScriptedHost {
            var identity = Identity.ephemeral()
            while identity.peerID < desk.id { identity = .ephemeral() }
            return try ScriptedHost(at: desk.node, as: identity)
        }

        @Test("a machine that invites before the user is asked waits each time, and nothing of it stays")
        func expected() async throws {
            try await TestNode.with { desk in
                let (session, stranger) = (try desk.session(), Identity.someID(42))
                let first = session.introduction(of: stranger)
                session.expectNoMore(stranger, first)
                await #expect(throws: SessionError(.timedOut)) { try await first.value() }
                let second = session.introduction(of: stranger)
                #expect(!second.isSettled)
                // The end of the first wait is late.
                session.expectNoMore(stranger, first)
                #expect(session.introduction(of: stranger) === second)
                #expect(session.introduce(stranger, by: Identity.someID(43)))
                try await second.value()
            }
        }

        @Test(
            "invitation frames in any order accept no machine",
            arguments: 0..<8 as Range<UInt64>
        )
        func disorder(seed: UInt64) async throws {
            try await TestNode.with { desk in
                var random = SeededGenerator(seed: seed)
                let identity = Identity.ephemeral()
                for _ in 0..<12 {
                    let peer = try await ScriptedPeer.greeted(by: desk.node, as: identity)
                    let ids = [InvitationID(high: seed, low: 1), InvitationID(high: seed, low: 2)]
                    for _ in 0..<30 {
                        let id = ids[Int.random(in: 0...1, using: &random)]
                        let frame = try word(.random(in: 0..<9, using: &random), id, peer, &random)
                        guard (try? await peer.say(frame)) != nil else { break }
                        if Int.random(in: 0..<4, using: &random) == 0, !(await peer.isServed()) { break }
                    }
                    peer.channel.abort()
                    #expect(desk.node.members.isEmpty && desk.node.sessions.isEmpty, "seed \(seed)")
                }
                #expect(try await ScriptedPeer.greeted(by: desk.node).isServed(), "seed \(seed)")
            }
        }

        private func word(
            _ number: Int,
            _ id: InvitationID,
            _ peer: ScriptedPeer,
            _ random: inout SeededGenerator
        ) throws -> ControlFrame {
            let session = peer.ownSession
            return switch number {
            case 0, 1: .invite(try peer.invite(id, to: session, isCodeNeeded: .random(using: &random)))
            case 2: .pairShare(.init(invitation: id, share: .sample))
            case 3: .pairReply(.init(invitation: id, share: .sample, confirmation: .zero))
            case 4: .pairConfirm(.init(invitation: id, confirmation: .zero))
            case 5: .inviteReceived(.init(invitation: id, isCodeNeeded: .random(using: &random)))
            case 6: .inviteAnswer(.init(invitation: id, verdict: .accepted))
            case 7: .inviteCancel(.init(invitation: id, reason: .withdrawn))
            default: .members(.init(session: session, members: []))
            }
        }
    }
}

extension Identity {
    /// An ID that no machine has.
    static func someID(_ round: Int) -> PeerID {
        let high = UInt64.random(in: .min ... .max)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: high >> (8 * UInt64($0))) }
        guard let id = PeerID(bytes: bytes + bytes + bytes + [UInt8](repeating: UInt8(round), count: 8)) else {
            preconditionFailure("an id has 32 bytes")
        }
        return id
    }
}
