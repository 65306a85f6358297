import Ledger
import LinuxPlatform
import ScriptedPeers
import Session
import SessionRules
import Synchronization
import Testing
import Transport
import Vocabulary
import Wire

@testable import Household
import TestSupport

@Suite("A caller", .timeLimit(.minutes(4)))
@Engine
struct CallerTests {
    @Test("A caller that stops listening delays no other caller")
    func deaf() async throws {
        let home = try await Home("Desk")
        home.run()
        let begun = Resumption<Void>()
        let calling = try calling(from: home) { _ in
            try await Resumption<Void>().valueUnlessCancelled()
        } _: { _ in
            begun.resume(with: .success(()))
            try await Resumption<Void>().valueUnlessCancelled()
        }
        try await begun.value()
        // Callers learn that a known name has another key. Then the user is asked.
        try await home.node.trust(Identity.ephemeral().peerID, named: try InstanceName("Deck"))
        try await letsAsk(home)
        calling.cancel()
        _ = try? await calling.value
        await home.end()
    }

    @Test("a caller that ignores the code that is shown to it delays no other caller")
    func deafToCode() async throws {
        let (home, other) = (try await Home("Desk"), try await Home("Deck"))
        home.run()
        other.run()
        let shown = Resumption<Void>()
        let address = try other.address.description
        let calling = try calling(from: home) { line in
            guard line.name == "code" else { return }
            shown.resume(with: .success(()))
            try await Resumption<Void>().valueUnlessCancelled()
        } _: { call in
            _ = try await call.connect(address, wait: .seconds(60), patience: .seconds(60))
        }
        try await shown.value()
        try await letsAsk(home)
        calling.cancel()
        _ = try? await calling.value
        await other.end()
        await home.end()
    }

    @Test("A caller that is gone when it gets a code ends its own call only, and no machine is paired")
    func gone() async throws {
        let (home, other) = (try await Home("Desk"), try await Home("Deck"))
        home.run()
        other.run()
        let address = try other.address.description
        let calling = try calling(from: home) { line in
            if line.name == "code" { throw CancellationError() }
        } _: { call in
            _ = try await call.connect(address, wait: .zero, patience: .seconds(60))
        }
        await #expect(throws: SessionError.self) { try await calling.value }
        try await letsAsk(home)
        #expect(home.isLiving)
        #expect(try await home.node.ledger.peer(other.node.id) == nil)
        await other.end()
        await home.end()
    }

    @Test(
        "a caller that has shown a code shows no second one if the connection breaks, and learns why",
        arguments: [false, true]
    )
    func cutAfterCode(isCancelled: Bool) async throws {
        let home = try await Home("Desk")
        home.run()
        let host = try ScriptedHost(at: home.node)
        let shown = Resumption<Void>()
        let count = Mutex(0)
        let address = try host.address.description
        let calling = try calling(from: home) { line in
            guard line.name == "code" else { return }
            count.withLock { $0 += 1 }
            shown.resume(with: .success(()))
        } _: { call in
            _ = try await call.connect(address, wait: .seconds(5))
        }
        let peer = try await host.greet(as: "Deck")
        let invite = try await peer.nextInvite()
        try await peer.say(.inviteReceived(.init(invitation: invite.invitation, isCodeNeeded: true)))
        try await shown.value()
        if isCancelled { try await peer.say(.inviteCancel(.init(invitation: invite.invitation, reason: .lost))) }
        peer.channel.abort()
        let error = await #expect(throws: SessionError.self) { try await calling.value }
        #expect(error?.code == "session.code-spent")
        #expect(count.withLock { $0 } == 1)
        await home.end()
    }

    @Test("a caller that reached one machine tries another again and again, as if no code had been shown")
    func afterMeeting() async throws {
        let home = try await Home("Desk")
        home.run()
        let host = try ScriptedHost(at: home.node)
        let shown = Resumption<String>()
        let address = try host.address.description
        let calling = try calling(from: home) { line in
            if case .code(let event) = line.event { shown.resume(with: .success(event.code)) }
        } _: { call in
            _ = try await call.connect(address, wait: .seconds(5))
            _ = try await call.connect("127.0.0.1:1", wait: .seconds(1))
        }
        let peer = try await host.greet(as: "Deck")
        let invite = try await peer.nextInvite()
        try await peer.say(.inviteReceived(.init(invitation: invite.invitation, isCodeNeeded: true)))
        let code = try #require(PairingCode(typed: try await shown.value()))
        #expect(try await peer.type(code, for: invite.invitation))
        try await peer.say(.inviteAnswer(.init(invitation: invite.invitation, verdict: .accepted)))
        let error = await #expect(throws: SessionError.self) { try await calling.value }
        #expect(error?.reason == .unreachable)
        await home.end()
    }

    private func calling(
        from home: Home,
        _ tell: @escaping Call.Listener,
        _ work: @escaping @Engine @Sendable (Call) async throws -> Void
    ) throws -> Task<Void, any Error> {
        let call = Call(of: home.household, named: try Label("call"), .init(), telling: tell)
        return Task(executorPreference: EventLoop.shared.taskExecutor) { try await call.run { try await work(call) } }
    }

    /// Another machine invites, and the user is asked.
    private func letsAsk(_ home: Home) async throws {
        let peer = try await ScriptedPeer.greeted(by: home.node, named: "Deck")
        try await peer.begin(try peer.invite())
        while home.household.waitingInvitations.isEmpty { try await othersTurn() }
    }
}
