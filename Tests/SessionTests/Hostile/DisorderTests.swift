import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary
import Wire

@testable import Session

/// A friend gone mad: well-formed frames in no order. Nothing it says may trap, and nothing may pile up.
@Suite("Frames in no order", .timeLimit(.minutes(1)))
@Engine
struct DisorderTests {
    @Test("a friend that says anything at any time harms nobody", arguments: 0..<8 as Range<UInt64>)
    func disorder(seed: UInt64) async throws {
        try await TestNode.with({ $0.admission.perAddress = 100 }) { desk in
            var random = SeededGenerator(seed: seed)
            let mad = try await ScriptedPeer.trusted(by: desk)
            let target = TemporaryFolder()
            let reading = Task(executorPreference: EventLoop.shared.taskExecutor) { await followEvents(of: desk, target) }
            mad.lane.abort()
            let memory = OwnProcess.residentKiB()
            for _ in 0..<25 {
                let peer = try await ScriptedPeer.greeted(by: desk, as: mad.identity)
                _ = try? await peer.enter(SessionID(high: seed, low: .random(in: 0..<3, using: &random)))
                let ids = MadFrames(seed: seed)
                for _ in 0..<60 {
                    guard (try? await peer.say(try ids.next(peer, &random))) != nil else { break }
                }
                if Bool.random(using: &random) { _ = await peer.isServed() }
                peer.lane.abort()
            }
            #expect(try await ScriptedPeer.greeted(by: desk).isServed(), "seed \(seed)")
            #expect(OwnProcess.residentKiB() - memory < 100 << 10, "seed \(seed)")
            #expect(desk.folder.names() == ["huddle"])
            reading.cancel()
            await reading.value
        }
    }

    private func followEvents(of desk: TestNode, _ target: TemporaryFolder) async {
        while let event = await desk.node.events.next() {
            if case .joined(let session, _) = event { desk.node.crew.add { await accept(session, target) } }
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

/// Frames with ids from a small pool, so that they often mean something.
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
        let reason = PartingReason.allCases.filter { $0 != .blocked }.randomElement(using: &random) ?? .left
        switch Int.random(in: 0..<22, using: &random) {
        case 0: return .ping(sequence)
        case 1: return .pong(sequence)
        case 2, 3: return .invite(try peer.invite(invitation, to: session, isCodeNeeded: .random(using: &random)))
        case 4: return .pairNonce(.init(invitation: invitation, nonce: .repeating(0), isCodeNeeded: true))
        case 5: return .pairReveal(.init(invitation: invitation, nonce: .repeating(0)))
        case 6: return .pairConfirm(invitation)
        case 7: return .inviteAnswer(.init(invitation: invitation, verdict: .accepted))
        case 8: return .inviteCancel(.init(invitation: invitation, reason: reason))
        case 9, 10: return .members(.init(session: session, members: []))
        case 11: return .leave(.init(session: session, reason: reason))
        case 12, 13: return .message(.init(session: session, sequence: sequence, total: 2, bytes: [1, 2]))
        case 14: return .messagePart(.init(session: session, sequence: sequence, bytes: [1]))
        case 15: return .messageAck(.init(session: session, consumed: sequence - 1))
        case 16: return .resume(.init(session: session, received: sequence - 1))
        case 17: return .laneRequest(.random())
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
                    identity: identity
                )
            )
        case 20: return .resourceAnswer(.init(transfer: transfer, verdict: .accepted, message: ""))
        default: return .transferCancel(.init(transfer: transfer, reason: reason))
        }
    }
}
