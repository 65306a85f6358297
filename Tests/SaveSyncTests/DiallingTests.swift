import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import ScriptedPeers
import Session
import TestSupport
import Testing
import Transport
import Vocabulary

@Suite("A peer with a shared game", .timeLimit(.minutes(4)))
struct DiallingTests {
    @Test("a peer whose connection breaks during its invitation is invited again")
    @Engine
    func brokenOff() async throws {
        let machine = try await SaveMachine.open("desk")
        let set = try await machine.add(["slot": "chapter 1"])
        var identity = Identity.ephemeral()
        // The machine with the smaller id invites at once.
        while identity.peerID < machine.node.id { identity = .ephemeral() }
        try await machine.node.trust(identity.peerID)
        try await machine.node.setPolicy(.accept, for: identity.peerID)
        var peer = try await ScriptedPeer.greeted(by: machine.node, as: identity)
        try await machine.engine.sharing.offer(set, to: identity.peerID)
        // A change since the first invitation began is reason for a second one, but not for a third.
        for _ in 0..<3 {
            _ = try await peer.nextInvite()
            peer.channel.abort()
            peer = try await ScriptedPeer.greeted(by: machine.node, as: identity)
        }
        _ = try await peer.nextInvite()
        await machine.stop()
    }
}
