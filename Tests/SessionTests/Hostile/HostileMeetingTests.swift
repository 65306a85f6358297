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
    /// First meetings with somebody who wants to be taken for another.
    @Suite("Meeting a liar", .timeLimit(.minutes(5)))
    @Engine
    struct HostileMeetingTests {
        // MARK: Another key under a known name

        @Test("a known name with another key is told, and a person has to compare a new code")
        func swappedKey() async throws {
            try await TestNode.with { desk in
                let known = Identity.ephemeral().peerID
                try await desk.node.trust(known, named: try InstanceName("Deck"))
                try await desk.node.setPolicy(.accept, for: known)
                let peer = try await ScriptedPeer.greeted(by: desk.node, named: "Deck")
                // It claims that it needs no code.
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
                #expect(changed && invitation.code != nil)
                try await peer.say(.pairConfirm(invite.invitation))
                #expect(try await peer.echoes().isEmpty)
                #expect(desk.node.members.isEmpty)
            }
        }

        @Test("who is invited by id and comes with another key is not spoken to; by address a code is needed")
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
                // It says yes without a code.
                try await control.say(
                    .pairNonce(.init(invitation: invite.invitation, nonce: .repeating(1), isCodeNeeded: false)),
                    .pairConfirm(invite.invitation),
                    .inviteAnswer(.init(invitation: invite.invitation, verdict: .accepted))
                )
                await #expect(throws: SessionError.self) { try await again.value }
                #expect(desk.node.members.isEmpty)
            }
        }

        // MARK: Somebody in the middle

        @Test("with somebody in the middle the two screens show different codes", arguments: 0..<12 as Range<UInt64>)
        func middle(seed: UInt64) async throws {
            let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
            let host = try ScriptedHost(at: deck.node)
            var random = SeededGenerator(seed: seed)
            let session = try deck.session()
            let address = try host.address
            let inviting = Task(executorPreference: EventLoop.shared.taskExecutor) {
                try await deck.node.invite(.address(address), to: session)
            }
            // Deck believes that it talks to Desk, and Desk that it talks to Deck.
            let toDeck = try await host.greet(as: "Desk")
            let toDesk = try await ScriptedPeer.greeted(by: desk.node, as: host.identity, named: "Deck")
            let theirs = try await toDeck.nextInvite()
            let own = [UInt8](repeating: .random(in: 0...255, using: &random), count: 32)
            let nonce = PairingNonce(bytes: own) ?? .zero
            let invite = try toDesk.invite(theirs.invitation, to: theirs.session, nonce: nonce)
            try await toDesk.say(.invite(invite))
            // It knows Desk's nonce before it has to choose one for Deck, and passes that on or takes its own.
            let desksNonce = try await toDesk.hear { if case .pairNonce(let nonce) = $0 { nonce.nonce } else { nil } }
            let passedOn = seed % 2 == 0 ? desksNonce : .repeating(own[0])
            try await toDeck.say(.pairNonce(.init(invitation: invite.invitation, nonce: passedOn, isCodeNeeded: true)))
            let (_, codeAtDeck) = try await deck.nextCode()
            _ = try await toDeck.hear { if case .pairReveal(let reveal) = $0 { reveal } else { nil } }
            try await toDesk.say(.pairReveal(.init(invitation: invite.invitation, nonce: .repeating(own[0]))))
            let asked = try await desk.nextInvitation()
            #expect(asked.code != nil && asked.code != codeAtDeck, "seed \(seed)")
            // It says yes for Desk, though nobody there has.
            try await toDeck.say(.inviteAnswer(.init(invitation: invite.invitation, verdict: .accepted)))
            await #expect(throws: SessionError.self) { try await inviting.value }
            // The person at Desk types what Deck's screen shows.
            try await desk.node.answer(asked.id, .accept(typed: codeAtDeck))
            let verdict = try await toDesk.hear {
                if case .inviteAnswer(let answer) = $0 { answer.verdict } else { nil }
            }
            #expect(verdict == .refused(.wrongCode))
            #expect(deck.node.members.isEmpty && desk.node.members.isEmpty)
            await deck.stop()
            await desk.stop()
        }

        @Test(
            "who reveals another nonce than it was bound to, once it has seen the other's, is out",
            arguments: [true, false]
        )
        func otherNonce(isReplayed: Bool) async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                let invite = try peer.invite()
                try await peer.say(.invite(invite))
                let seen = try await peer.hear { if case .pairNonce(let nonce) = $0 { nonce.nonce } else { nil } }
                let revealed = isReplayed ? seen : .repeating(9)
                try await peer.say(.pairReveal(.init(invitation: invite.invitation, nonce: revealed)))
                #expect(await peer.hearToEnd().frames.last == .bye(.brokeProtocol))
                #expect(!desk.node.receivedInvitations.values.contains { $0.code != nil })
            }
        }

        // MARK: Wrong codes

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
                let code = try #require(asked.code)
                try await desk.node.answer(asked.id, .accept(typed: PairingCode(number: (code.number + 1) % 1_000_000)))
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
            try await desk.node.answer(asked.id, .accept(typed: asked.code))
            try await peer.say(.pairConfirm(asked.id))
            _ = try await peer.hear { if case .inviteAnswer = $0 { true } else { nil } }
            try await peer.say(.members(.init(session: peer.ownSession, members: [])))
            _ = try await peer.echoes()
            #expect(try await desk.node.ledger.counter(.wrongCodes(of: identity.peerID)) == Counter())
            #expect(try await desk.node.ledger.peer(identity.peerID)?.isPinned == true)
            await desk.stop()
        }

        /// As if the wait were over.
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

        @Test("a stranger that claims wrong codes locks out nobody but itself")
        func claimedWrongCodes() async throws {
            try await TestNode.with { desk in
                let friend = try await ScriptedPeer.trusted(by: desk.node, named: "Friend")
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                for _ in 0..<15 {
                    let invite = try peer.invite()
                    try await peer.begin(invite)
                    _ = try await desk.nextInvitation()
                    try await peer.say(.inviteCancel(.init(invitation: invite.invitation, reason: .wrongCode)))
                    _ = try await peer.echoes()
                    if try await desk.node.isLockedOut(peer.id, isPinned: false) { break }
                }
                let stranger = Identity.ephemeral().peerID
                #expect(try await !desk.node.isLockedOut(stranger, isPinned: false))
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
                #expect(try await desk.node.isLockedOut(Identity.ephemeral().peerID, isPinned: false))
            }
        }

        @Test("who typed wrong codes as the inviter has to wait, too")
        func inviterWaits() async throws {
            let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
            let session = try deck.session()
            let address = try desk.address
            var reasons: [PartingReason?] = []
            for _ in 0..<6 {
                let inviting = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    await reason(of: deck, inviting: address, to: session)
                }
                let typing = Task(executorPreference: EventLoop.shared.taskExecutor) { try await typeWrong(at: deck) }
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

        private func typeWrong(at deck: TestNode) async throws {
            let (id, code) = try await deck.nextCode()
            deck.node.confirm(id, typed: PairingCode(number: (code.number + 1) % 1_000_000))
        }

        @Test("an answer from another process with a code that can't be read accepts nothing")
        func unreadableCode() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.greeted(by: desk.node)
                let asked = try await meet(peer, at: desk)
                try await peer.say(.pairConfirm(asked.id))
                _ = try await peer.echoes()
                _ = try await desk.node.ledger.answer(asked.id, with: .accept(typedCode: "12 34"))
                // As if another process had written it.
                #expect(Node.Answer(.accept(typedCode: "12 34")) == nil)
                #expect(desk.node.members.isEmpty)
            }
        }
    }
}
