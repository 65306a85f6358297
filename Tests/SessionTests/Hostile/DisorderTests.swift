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
    /// A paired machine that sends well-formed frames in no order. None of them may trap, and nothing may pile up.
    @Suite("Frames in no order", .timeLimit(.minutes(5)))
    @Engine
    struct DisorderTests {
        @Test("a friend that sends any frame at any time does no harm", arguments: 0..<2 as Range<UInt64>)
        func disorder(seed: UInt64) async throws {
            try await TestNode.with({ $0.limits.admission.perAddress = 100 }) { desk in
                var random = SeededGenerator(seed: seed)
                let mad = try await ScriptedPeer.trusted(by: desk.node)
                let target = TemporaryFolder()
                let reading = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    await followEvents(of: desk, target)
                }
                mad.channel.abort()
                let memory = OwnProcess.residentKiB()
                for _ in 0..<25 {
                    let peer = try await ScriptedPeer.greeted(by: desk.node, as: mad.identity)
                    _ = try? await peer.enter(SessionID(high: seed, low: .random(in: 0..<3, using: &random)))
                    let ids = MadFrames(seed: seed)
                    for _ in 0..<60 {
                        guard (try? await peer.say(try ids.next(peer, &random))) != nil else { break }
                    }
                    if Bool.random(using: &random) { _ = await peer.isServed() }
                    peer.channel.abort()
                }
                #expect(try await ScriptedPeer.greeted(by: desk.node).isServed(), "seed \(seed)")
                #expect(OwnProcess.residentKiB() - memory < (100 << 10) * OwnProcess.allowance, "seed \(seed)")
                #expect(desk.folder.names() == ["huddle"])
                reading.cancel()
                await reading.value
            }
        }

        @Test("channels with any frame at any time do no harm", arguments: 0..<4 as Range<UInt64>)
        func channels(seed: UInt64) async throws {
            try await TestNode.with({ $0.limits.admission.perAddress = 100 }) { desk in
                var random = SeededGenerator(seed: seed)
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                let (target, source) = (TemporaryFolder(), TemporaryFolder())
                try source.write([UInt8](repeating: 4, count: 100_000), to: "save.dat")
                desk.node.tasks.add { await accept(there, target) }
                let words = MadChannelWords(session: session)
                for round in 0..<30 {
                    let offer = OfferBytes(
                        session: session,
                        name: "save.dat",
                        total: .random(in: 0...20, using: &random)
                    )
                    try await peer.offer(offer)
                    let further: ScriptedChannel
                    if round % 3 == 0 {
                        further = try await outgoing(peer, there, source)
                    } else {
                        _ = try await peer.hear { if case .resourceAnswer = $0 { true } else { nil } }
                        further = try await peer.readyChannel()
                        let isStream = Bool.random(using: &random)
                        let first = ChannelFrame.resourceBegin(offer.transfer)
                        try await further.say(
                            isStream ? .streamBegin(.init(session: session, name: try Label("log"))) : first
                        )
                    }
                    for _ in 0..<Int.random(in: 1...8, using: &random) {
                        guard (try? await further.say(try words.next(offer.transfer, &random))) != nil else { break }
                        if Bool.random(using: &random) { _ = await peer.isServed() }
                    }
                    if Bool.random(using: &random) { further.channel.abort() }
                }
                #expect(await peer.isServed(), "seed \(seed)")
                #expect(try await ScriptedPeer.greeted(by: desk.node).isServed(), "seed \(seed)")
                #expect(desk.folder.names() == ["huddle"])
            }
        }

        /// A channel over which the node sends a file.
        private func outgoing(
            _ peer: ScriptedPeer,
            _ session: Session,
            _ source: TemporaryFolder
        ) async throws -> ScriptedChannel {
            _ = try await session.sendResource(at: source.path + "/save.dat")
            _ = try await peer.acceptOffer()
            return try await peer.askedForChannel()
        }

        private func followEvents(of desk: TestNode, _ target: TemporaryFolder) async {
            while let event = await desk.node.events.next() {
                if case .joined(let session, _) = event { desk.node.tasks.add { await accept(session, target) } }
            }
        }

        private nonisolated func accept(_ session: Session, _ target: TemporaryFolder) async {
            while let event = await session.events.next() {
                switch event {
                case .resource(let resource): try? await resource.accept(into: target.path)
                case .stream(let stream): _ = try? await stream.read()
                default: break
                }
            }
        }
    }
}

/// Frames with IDs from a small pool, so that they often refer to something.
@Engine
private struct MadFrames {
    let seed: UInt64

    func session(_ random: inout SeededGenerator) -> SessionID {
        SessionID(high: seed, low: .random(in: 0..<3, using: &random))
    }

    func next(_ peer: ScriptedPeer, _ random: inout SeededGenerator) throws -> ControlFrame {
        let session = session(&random)
        let invitation = InvitationID(high: seed, low: .random(in: 0..<3, using: &random))
        let transfer = TransferID(high: seed, low: .random(in: 0..<3, using: &random))
        let sequence = UInt64.random(in: 1...3, using: &random)
        let reason = PartingReason.allCases.filter(\.isSaid).randomElement(using: &random) ?? .left
        switch Int.random(in: 0..<22, using: &random) {
        case 0: return .ping(sequence)
        case 1: return .pong(sequence)
        case 2, 3: return .invite(try peer.invite(invitation, to: session, isCodeNeeded: .random(using: &random)))
        case 4: return .inviteReceived(.init(invitation: invitation, isCodeNeeded: true))
        case 5: return .pairReply(.init(invitation: invitation, share: .sample, confirmation: .zero))
        case 6: return .pairConfirm(.init(invitation: invitation, confirmation: .zero))
        case 7: return .inviteAnswer(.init(invitation: invitation, verdict: .accepted))
        case 8: return .inviteCancel(.init(invitation: invitation, reason: reason))
        case 9, 10: return .members(.init(session: session, members: []))
        case 11: return .leave(.init(session: session, reason: reason))
        case 12, 13: return .message(.init(session: session, sequence: sequence, total: 2, bytes: [1, 2]))
        case 14: return .messagePart(.init(session: session, sequence: sequence, bytes: [1]))
        case 15: return .messageAck(.init(session: session, consumed: sequence - 1))
        case 16: return .resume(.init(session: session, received: sequence - 1))
        case 17: return .channelRequest(.random())
        case 18, 19:
            let identity = ResourceIdentity(high: 1, low: sequence)
            let kind = Bool.random(using: &random) ? ResourceKind.file : .folder
            return .resourceOffer(
                .init(
                    session: session,
                    transfer: transfer,
                    kind: kind,
                    name: try FileName("save.dat"),
                    total: 10,
                    entries: 1,
                    identity: identity,
                    stamp: ResourceStamp(mode: .readableFile, modified: FileTime(seconds: 1, nanoseconds: 0))
                )
            )
        case 20: return .resourceAnswer(.init(transfer: transfer, verdict: .accepted, message: ""))
        default: return .transferCancel(.init(transfer: transfer, reason: reason))
        }
    }
}

/// The frames that either side may send on a data channel.
private struct MadChannelWords {
    let session: SessionID

    func next(_ transfer: TransferID, _ random: inout SeededGenerator) throws -> ChannelFrame {
        let small = UInt64.random(in: 0...21, using: &random)
        let digest = ContentDigest(high: small, low: 0)
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return .ready
        case 1: return .streamBegin(.init(session: session, name: try Label("log")))
        case 2: return .streamTaken
        case 3, 4: return .data([UInt8](repeating: 1, count: Int(small) + 1)[...])
        case 5: return .end
        case 6: return .abort(.init(reason: .left, message: "a"))
        case 7: return .resourceBegin(transfer)
        case 8: return .held(.init(byteCount: small * 5_000, blockSize: 4 << 20, digests: [digest]))
        case 9: return .startAt(small / 10)
        case 10: return .resourceEnd(.init(total: small, digest: digest))
        case 11: return .stored(try FileName("save.dat"))
        case 12: return .verified(small * 10_000)
        default: return .failed(.init(code: FaultCode("transfer.failed"), message: "a"))
        }
    }
}
