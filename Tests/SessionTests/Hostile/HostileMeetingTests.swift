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
    /// Handshakes with a machine that wants to be taken for another.
    @Suite("Handshakes with a liar", .timeLimit(.minutes(5)))
    @Engine
    struct HostileMeetingTests {
        // MARK: Another key under a known name

        @Test("a known name with another key is reported, and the user must type a code")
        func swappedKey() async throws {
            try await TestNode.with { desk in
                let known = Identity.ephemeral().peerID
                try await desk.node.trust(known, named: try InstanceName("Deck"))
                try await desk.node.setPolicy(.accept, for: known)
                let peer = try await ScriptedPeer.greeted(by: desk.node, named: "Deck")
                // The peer claims that it needs no code.
                let invite = try peer.invite(isCodeNeeded: false)
                try await peer.begin(invite)
                var changed = false
                let invitation = try await desk.next { event -> ReceivedInvitation? in
                    if case .keyChanged(let name, let old, let new) = event {
                        changed = name.text == "Deck" && old == known && new == peer.id
                    }
                    if case .invited(let invitation) = event { return invitation }
                    return nil
                }
                #expect(changed && invitation.codeNeed == .here)
                // The peer answers a code that no user has typed.
                try await peer.say(
                    .pairReply(.init(invitation: invite.invitation, share: .sample, confirmation: .zero))
                )
                #expect(await peer.hearToEnd().frames.last == .bye(.brokeProtocol))
                #expect(desk.node.members.isEmpty)
            }
        }

        @Test("a stranger that uses a known name is reported once for each question that the user sees")
        func swappedKeyWithoutQuestions() async throws {
            try await TestNode.with { desk in
                let known = Identity.ephemeral().peerID
                try await desk.node.trust(known, named: try InstanceName("Deck"))
                let peer = try await ScriptedPeer.greeted(by: desk.node, named: "Deck")
                // Each invitation replaces the one before, whose question was not due yet.
                for _ in 0..<20 {
                    let invite = try peer.invite(isCodeNeeded: true)
                    try await peer.begin(invite)
                }
                var warnings = 0
                _ = try await desk.next { event -> ReceivedInvitation? in
                    if case .keyChanged = event { warnings += 1 }
                    if case .invited(let invitation) = event { return invitation }
                    return nil
                }
                #expect(warnings == 1)
                await desk.stop()
                let entries = try await desk.node.ledger.audit().values
                #expect(entries.count { $0.event == "key-changed" } == 1)
            }
        }

        @Test("a machine that is invited by id and has another key gets no word; by address a code is needed")
        func invitingAnother() async throws {
            try await TestNode.with { desk in
                let (known, host) = (Identity.ephemeral().peerID, try ScriptedHost(at: desk.node))
                try await desk.node.trust(known, named: try InstanceName("Deck"))
                try await desk.node.ledger.saw(known, as: try InstanceName("Deck"), at: try host.address)
                let session = try desk.session()
                let inviting = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    try await desk.node.invite(.peer(known), to: session)
                }
                _ = try? await host.connected()
                await #expect(throws: SessionError(.keyChanged)) { try await inviting.value }
                let address = try host.address
                let again = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    try await desk.node.invite(.address(address), to: session)
                }
                let control = try await host.greet(as: "Deck")
                let invite = try await control.nextInvite()
                #expect(invite.isCodeNeeded)
                let changed = try await desk.next {
                    if case .keyChanged(_, let old, let new) = $0 { (old, new) } else { nil }
                }
                #expect(changed == (known, host.identity.peerID))
                // The peer accepts without a code.
                try await control.say(
                    .inviteReceived(.init(invitation: invite.invitation, isCodeNeeded: false)),
                    .inviteAnswer(.init(invitation: invite.invitation, verdict: .accepted))
                )
                await #expect(throws: SessionError.self) { try await again.value }
                #expect(desk.node.members.isEmpty)
            }
        }

        // MARK: A machine in the middle

        /// The changes by a machine in the middle to the code that the user types.
        enum Middle: CaseIterable, Sendable {
            case relays, guesses, reflects
        }

        @Test(
            "a machine in between pins no one, whatever it passes on, and both sides count it",
            arguments: Middle.allCases
        )
        func middle(way: Middle) async throws {
            let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
            let host = try ScriptedHost(at: deck.node)
            let session = try deck.session()
            let address = try host.address
            let inviting = Task(executorPreference: EventLoop.shared.taskExecutor) {
                try await deck.node.invite(.address(address), to: session)
            }
            // Deck believes that it talks to Desk, and Desk that it talks to Deck.
            let toDeck = try await host.greet(as: "Desk")
            let toDesk = try await ScriptedPeer.greeted(by: desk.node, as: host.identity, named: "Deck")
            let theirs = try await toDeck.nextInvite()
            try await toDesk.begin(try toDesk.invite(theirs.invitation, to: theirs.session))
            try await toDeck.say(.inviteReceived(.init(invitation: theirs.invitation, isCodeNeeded: true)))
            let (_, code) = try await deck.nextCode()
            let asked = try await desk.nextInvitation()
            #expect(asked.codeNeed == .there)
            // The user at Desk types the code that Deck shows.
            try await desk.node.answer(asked.id, .accept(typed: code))
            let share = try await toDesk.hear { if case .pairShare(let share) = $0 { share.share } else { nil } }
            if way == .guesses {
                let guess = PairingCode(number: (code.number + 1) % PairingCode.count)
                #expect(try await toDeck.type(try #require(guess), for: theirs.invitation) == false)
                try await toDesk.say(
                    .pairReply(.init(invitation: asked.id, share: .sample, confirmation: .zero))
                )
            } else {
                try await toDeck.say(.pairShare(.init(invitation: theirs.invitation, share: share)))
                let reply = try await toDeck.hear { if case .pairReply(let reply) = $0 { reply } else { nil } }
                // Back to Deck, or on to Desk.
                try await toDeck.say(
                    .pairConfirm(.init(invitation: theirs.invitation, confirmation: reply.confirmation))
                )
                let passed = way == .reflects ? share : reply.share
                try await toDesk.say(
                    .pairReply(.init(invitation: asked.id, share: passed, confirmation: reply.confirmation))
                )
            }
            let verdict = try await toDesk.hear {
                if case .inviteAnswer(let answer) = $0 { answer.verdict } else { nil }
            }
            #expect(verdict == .refused(.wrongCode))
            await #expect(throws: SessionError(.wrongCode)) { try await inviting.value }
            #expect(deck.node.members.isEmpty && desk.node.members.isEmpty)
            for node in [deck, desk] {
                await node.stop()
                #expect(try await node.node.ledger.counter(.wrongCodes).count == 1)
                #expect(try await node.node.ledger.peer(host.identity.peerID)?.isPinned != true)
            }
        }

        /// The ways in which a peer that has the reply to one code tries to get another one.
        enum Escape: CaseIterable, Sendable {
            case secondShare, cut, otherLink, ownInvitation, refusal
        }

        @Test(
            "one code gets one answer, and a peer that has it is counted whatever it does next",
            arguments: Escape.allCases
        )
        func oneAnswer(escape: Escape) async throws {
            try await TestNode.with { desk in
                var identity = Identity.ephemeral()
                // If two invitations cross, that of the machine with the smaller ID stays: here the peer's own.
                while escape == .ownInvitation, desk.node.id < identity.peerID { identity = .ephemeral() }
                let host = try ScriptedHost(at: desk.node, as: identity)
                let (session, address) = (try desk.session(), try host.address)
                let inviting = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    try await desk.node.invite(.address(address), to: session)
                }
                let peer = try await host.greet(as: "Deck")
                let invite = try await peer.nextInvite()
                try await peer.say(.inviteReceived(.init(invitation: invite.invitation, isCodeNeeded: true)))
                let (_, code) = try await desk.nextCode()
                let guess = try #require(PairingCode(number: (code.number + 1) % PairingCode.count))
                #expect(try await peer.type(guess, for: invite.invitation, confirms: false) == false)
                switch escape {
                case .secondShare: try await peer.say(.pairShare(.init(invitation: invite.invitation, share: .sample)))
                case .cut: peer.channel.abort()
                case .otherLink: _ = try await ScriptedPeer.greeted(by: desk.node, as: host.identity, named: "Deck")
                case .ownInvitation: try await peer.say(.invite(try peer.invite()))
                case .refusal:
                    try await peer.say(
                        .inviteAnswer(.init(invitation: invite.invitation, verdict: .refused(.declined)))
                    )
                }
                while try await desk.node.ledger.counter(.wrongCodes).count == 0 { try await othersTurn() }
                desk.node.withdrawAll(for: session)
                inviting.cancel()
                let result = await inviting.result
                if escape == .ownInvitation {
                    let refusal = #expect(throws: SessionError.self) { try result.get() }
                    #expect(refusal?.reason == .wrongCode)
                }
                #expect(try await desk.node.ledger.counter(.wrongCodes).count == 1)
                #expect(desk.node.members.isEmpty)
            }
        }

        // MARK: Wrong codes

        private static var code: PairingCode {
            guard let code = PairingCode(number: 482_913) else { preconditionFailure("six digits are a code") }
            return code
        }

        @Test("wrong codes count and lock out, across a restart, with waits that grow; the right one resets them")
        func wrongCodes() async throws {
            let folder = TemporaryFolder()
            let identity = Identity.ephemeral()
            var waits: [Int64] = []
            for round in 0..<5 {
                let desk = try await TestNode.open("Desk", in: folder)
                let counter = try await desk.node.ledger.counter(.wrongCodes(of: identity.peerID))
                #expect(counter.count == round)
                try await clearWait(of: identity.peerID, at: desk)
                let peer = try await ScriptedPeer.greeted(by: desk.node, as: identity)
                let asked = try await meet(peer, at: desk)
                try await desk.node.answer(asked.id, .accept(typed: PairingCode(number: 482_914)))
                #expect(try await peer.reply(to: asked.id, showing: Self.code) == nil)
                _ = try await peer.echoes()
                let after = try await desk.node.ledger.counter(.wrongCodes(of: identity.peerID))
                waits.append(max(0, (after.lockedUntil?.secondsSince1970 ?? 0) - WallTime.now.secondsSince1970))
                if waits[round] > 2 {
                    let late = try peer.invite()
                    try await peer.say(.invite(late))
                    _ = try await peer.echoes()
                    #expect(!desk.node.receivedInvitations.values.contains { !$0.isSilent })
                }
                await desk.stop()
            }
            #expect(waits[0] <= 1 && waits[2] <= 1)
            #expect(waits[3] > 20 && waits[4] > 45)
            try await rightCode(folder, identity)
        }

        private func rightCode(_ folder: TemporaryFolder, _ identity: Identity) async throws {
            let desk = try await TestNode.open("Desk", in: folder)
            try await clearWait(of: identity.peerID, at: desk)
            let peer = try await ScriptedPeer.greeted(by: desk.node, as: identity)
            let asked = try await meet(peer, at: desk)
            try await desk.node.answer(asked.id, .accept(typed: Self.code))
            #expect(try await peer.reply(to: asked.id, showing: Self.code) == true)
            _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
            try await peer.say(.members(.init(session: peer.ownSession, members: [])))
            _ = try await peer.echoes()
            #expect(try await desk.node.ledger.counter(.wrongCodes(of: identity.peerID)) == Counter())
            #expect(try await desk.node.ledger.peer(identity.peerID)?.isPinned == true)
            await desk.stop()
        }

        /// Ends the wait after wrong codes.
        private func clearWait(of peer: PeerID, at desk: TestNode) async throws {
            let now = WallTime.now
            for scope in [CounterScope.wrongCodes(of: peer), .wrongCodes] {
                try await desk.node.ledger.change(scope) { $0 = Counter(count: $0.count, lockedUntil: now) }
            }
        }

        private func meet(_ peer: ScriptedPeer, at desk: TestNode) async throws -> ReceivedInvitation {
            let invite = try peer.invite(to: peer.ownSession)
            try await peer.begin(invite)
            return try await desk.nextInvitation()
        }

        @Test("a stranger that claims wrong codes locks out no one, not even itself")
        func claimedWrongCodes() async throws {
            try await TestNode.with { desk in
                let friend = try await ScriptedPeer.trusted(by: desk.node, named: "Friend")
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                for _ in 0..<5 {
                    let invite = try peer.invite()
                    try await peer.begin(invite)
                    try await peer.say(.inviteCancel(.init(invitation: invite.invitation, reason: .wrongCode)))
                    _ = try await peer.echoes()
                }
                #expect(try await !desk.node.context.store.isLockedOut(peer.id, isPaired: false))
                #expect(try await desk.node.ledger.counter(.wrongCodes).count == 0)
                try await friend.enter()
            }
        }

        @Test("wrong codes of strangers do not shut out friends")
        func friendsStay() async throws {
            try await TestNode.with { desk in
                let end = WallTime(secondsSince1970: WallTime.now.secondsSince1970 + 600)
                try await desk.node.ledger.set(Counter(count: 20, lockedUntil: end), for: .wrongCodes)
                let friend = try await ScriptedPeer.trusted(by: desk.node, named: "Friend")
                try await friend.enter()
                #expect(try await desk.node.context.store.isLockedOut(Identity.ephemeral().peerID, isPaired: false))
            }
        }

        @Test("a machine whose codes are typed wrong must wait as well")
        func inviterWaits() async throws {
            let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
            let session = try deck.session()
            let address = try desk.address
            var reasons: [PartingReason?] = []
            for _ in 0..<6 {
                let inviting = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    await reason(of: deck, inviting: address, to: session)
                }
                let typing = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    try await typeWrong(at: desk, for: deck)
                }
                reasons.append(await inviting.value)
                typing.cancel()
                _ = await typing.result
            }
            #expect(reasons.prefix(3).allSatisfy { $0 == .wrongCode })
            #expect(reasons.last == .lockedOut)
            await deck.stop()
            await desk.stop()
        }

        private func reason(
            of deck: TestNode,
            inviting address: HostAndPort,
            to session: Session
        ) async -> PartingReason? {
            do {
                try await deck.node.invite(.address(address), to: session)
                return nil
            } catch {
                return PartingReason(of: error)
            }
        }

        private func typeWrong(at desk: TestNode, for deck: TestNode) async throws {
            let (_, code) = try await deck.nextCode()
            let asked = try await desk.nextInvitation()
            try await desk.node.answer(asked.id, .accept(typed: PairingCode(number: (code.number + 1) % 1_000_000)))
        }
    }
}
