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
    /// A machine that is refused gets the same answers for any reason. So a blocked peer can't distinguish a block from
    /// an absent user.
    @Suite("A block looks like an absent user", .timeLimit(.minutes(5)))
    @Engine
    struct SilenceTests {
        /// The reason why a key is refused.
        enum Kind: String, CaseIterable, Sendable {
            case unknown, blocked, lockedOut, blockedByDefault
            case pinned, pinnedAndBlocked, pinnedAndLockedOut
        }

        @Test("every key that is not accepted hears byte for byte the same")
        func transcripts() async throws {
            let unknown = try await transcript(.unknown)
            #expect(unknown.filter { $0.hasPrefix("11") }.count == 2)
            for kind in [Kind.blocked, .lockedOut, .blockedByDefault] { #expect(try await transcript(kind) == unknown) }
        }

        @Test("a friend that is blocked or locked out hears the same as a friend without an answer")
        func friends() async throws {
            let pinned = try await transcript(.pinned)
            for kind in [Kind.pinnedAndBlocked, .pinnedAndLockedOut] { #expect(try await transcript(kind) == pinned) }
        }

        @Test(
            "a friend takes up as many places of the listener, blocked or not",
            arguments: [Kind.pinned, .pinnedAndBlocked]
        )
        func places(kind: Kind) async throws {
            try await TestNode.with { desk in
                let identity = Identity.ephemeral()
                try await prepare(kind, identity.peerID, desk.node)
                let peer = try await ScriptedPeer.greeted(by: desk.node, as: identity)
                _ = try await peer.echoes()
                #expect(desk.node.listener.admission.count == 0)
            }
        }

        @Test("a peer that is blocked in the middle of a session finds the cable cut, and then an absent user")
        func live() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let stream = try await peer.readyChannel()
                try await stream.say(.streamBegin(.init(session: session, name: try Label("log"))))
                #expect(try await stream.hear() == .streamTaken)
                let there = try await desk.nextJoined()
                let incoming = try await there.nextStream()
                try await desk.node.block(peer.id)
                let heard = await peer.hearToEnd()
                #expect(!heard.isClean)
                #expect(heard.frames.allSatisfy { if case .ping = $0 { true } else { false } })
                #expect(try await stream.hear() == nil)
                await #expect(throws: (any Error).self) { _ = try await incoming.read() }
                // A paired machine without an answer gets the same after a restart of this program.
                let again = try await ScriptedPeer.greeted(by: desk.node, as: peer.identity)
                try await again.say(.resume(.init(session: session, received: 0)))
                #expect(try await again.echoes() == [.leave(.init(session: session, reason: .lost))])
                try await again.say(.invite(try again.invite(to: session, isCodeNeeded: false)))
                let answers = try await again.echoes()
                #expect(answers.count == 1)
            }
        }

        // MARK: The script

        private func transcript(_ kind: Kind) async throws -> [String] {
            let desk = try await TestNode.open("Desk")
            do {
                let identity = Identity.ephemeral()
                try await prepare(kind, identity.peerID, desk.node)
                let peer = try await ScriptedPeer.greeted(by: desk.node, as: identity)
                let lines = try await perform(peer)
                await desk.stop()
                return lines
            } catch {
                await desk.stop()
                throw error
            }
        }

        private func prepare(_ kind: Kind, _ peer: PeerID, _ node: Node) async throws {
            switch kind {
            case .unknown: break
            case .blocked: try await node.block(peer)
            case .lockedOut: try await lockOut(peer, node)
            case .blockedByDefault: try await node.ledger.setDefaultPolicy(.block)
            case .pinned: try await node.trust(peer)
            case .pinnedAndBlocked:
                try await node.trust(peer)
                try await node.block(peer)
            case .pinnedAndLockedOut:
                try await node.trust(peer)
                try await lockOut(peer, node)
            }
        }

        private func lockOut(_ peer: PeerID, _ node: Node) async throws {
            let end = WallTime(secondsSince1970: WallTime.now.secondsSince1970 + 600)
            try await node.ledger.set(Counter(count: 8, lockedUntil: end), for: .wrongCodes(of: peer))
        }

        /// Sends everything that a peer in no session can send, and returns the answers.
        private func perform(_ peer: ScriptedPeer) async throws -> [String] {
            var heard: [ControlFrame] = []
            for frame in try strangeFrames() {
                try await peer.say(frame)
                heard += try await peer.echoes()
            }
            // An invitation without an answer, until its end.
            let first = try peer.invite(patience: 300)
            try await peer.say(.invite(first))
            heard += try await peer.echoes()
            // because no event reports that the time is up, and none may
            try await Engine.loop.sleep(for: .milliseconds(400))
            try await peer.say(.pairReply(.init(invitation: first.invitation, share: .sample, confirmation: .zero)))
            heard += try await peer.echoes()
            // A second invitation, withdrawn in a way that breaks the rules.
            let second = try peer.invite()
            try await peer.say(.invite(second))
            heard += try await peer.echoes()
            try await peer.say(.members(.init(session: second.session, members: [])))
            return (heard + (await peer.hearToEnd()).frames).map(Self.line)
        }

        private func strangeFrames() throws -> [ControlFrame] {
            let (session, transfer) = (SessionID(high: 1, low: 2), TransferID(high: 3, low: 4))
            let invitation = InvitationID(high: 5, low: 6)
            guard let identity = ResourceIdentity(bytes: [UInt8](repeating: 0, count: 16)) else { return [] }
            return [
                .message(.init(session: session, sequence: 1, total: 1, bytes: [1])),
                .messagePart(.init(session: session, sequence: 1, bytes: [1])),
                .messageAck(.init(session: session, consumed: 1)),
                .resume(.init(session: session, received: 1)),
                .leave(.init(session: session, reason: .lost)),
                .members(.init(session: session, members: [])),
                .channelRequest(.random()),
                .resourceOffer(
                    .init(
                        session: session,
                        transfer: transfer,
                        kind: .file,
                        name: try FileName("a"),
                        total: 1,
                        entries: 1,
                        identity: identity,
                        stamp: ResourceStamp(mode: .readableFile, modified: FileTime(seconds: 1, nanoseconds: 0))
                    )
                ),
                .resourceAnswer(.init(transfer: transfer, verdict: .accepted, message: "")),
                .transferCancel(.init(transfer: transfer, reason: .left)),
                .inviteReceived(.init(invitation: invitation, isCodeNeeded: true)),
                .pairShare(.init(invitation: invitation, share: .sample)),
                .pairReply(.init(invitation: invitation, share: .sample, confirmation: .zero)),
                .pairConfirm(.init(invitation: invitation, confirmation: .zero)),
                .inviteAnswer(.init(invitation: invitation, verdict: .accepted)),
                .inviteCancel(.init(invitation: invitation, reason: .wrongCode)),
            ]
        }

        /// The bytes of a frame without its random parts.
        private static func line(_ frame: ControlFrame) -> String {
            var bytes: [UInt8] = []
            switch frame {
            case .inviteReceived(let receipt):
                let blank = ControlFrame.InviteReceived(
                    invitation: InvitationID(high: 0, low: 0),
                    isCodeNeeded: receipt.isCodeNeeded
                )
                ControlFrame.inviteReceived(blank).encode(into: &bytes)
            default: frame.encode(into: &bytes)
            }
            return bytes.map { String($0, radix: 16) }.joined(separator: " ")
        }
    }
}
