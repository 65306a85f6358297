import LinuxPlatform
import SaveRules
import Session
import Testing
import Vocabulary

@testable import SaveSync

@Suite("The presence of a peer", .timeLimit(.minutes(5)))
struct PeerPresenceTests {
    @Test("a peer that goes offline is expected back, unless its program has ended in order")
    func expected() {
        var presence = PeerPresence()
        presence.left(because: .lost)
        #expect(!presence.isHere && presence.expectedSince != nil)
        presence.returned()
        #expect(presence.isHere)
        presence.left(because: .shuttingDown)
        #expect(!presence.isHere && presence.expectedSince == nil)
        // A repeated report that the peer is offline is no reason to expect it.
        presence.left(because: .lost)
        #expect(presence.expectedSince == nil)
        presence.wasSeen()
        #expect(presence.expectedSince != nil)
    }

    @Test("a session that is about to end stays so, whether the peer is online or not")
    func ending() {
        var presence = PeerPresence()
        presence.ends()
        #expect(presence.isEnding && presence.isHere)
        presence.left(because: .lost)
        #expect(presence.isEnding && !presence.isHere)
        presence.returned()
        #expect(presence.isEnding && presence.isHere)
        presence.isOver()
        #expect(presence.isEnding && !presence.isHere)
    }

    @Test("The outbox keeps the latest of messages of one kind, up to its limit")
    @Engine
    func outbox() async throws {
        let (outbox, set) = (SaveOutbox(limit: 2), SaveSetID(high: 1, low: 2))
        let first = SnapshotHead(SnapshotID(words: (1, 0, 0, 0)), VersionVector())
        #expect(outbox.add(.heads(set, [first])) && outbox.add(.release(set)) && outbox.add(.heads(set, [])))
        #expect(!outbox.add(.withdraw(set)))
        #expect(try await outbox.next() == .release(set))
        #expect(try await outbox.next() == .heads(set, []))
        let waiting = Task { @Engine in try await outbox.next() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
