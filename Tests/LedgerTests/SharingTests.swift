import Database
import Glibc
@testable import Ledger
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Ledgers that several programs have open", .timeLimit(.minutes(10)))
struct SharingTests {
    let kit = LedgerKit()

    @Test("A program reads the write of another one at once")
    func twoConnections() async throws {
        let (one, other) = (try await kit.open(), try await kit.open())
        for number in 0..<20 as Range<UInt8> {
            try await one.setPolicy(.block, for: peerID(number))
            #expect(try await other.peer(peerID(number))?.policy == .block)
            try await other.setPolicy(.accept, for: peerID(number))
            #expect(try await one.peer(peerID(number))?.policy == .accept)
        }
    }

    @Test("Counts at the same time are all kept")
    func countingTogether() async throws {
        let ledgers = [try await kit.open(), try await kit.open(), try await kit.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for ledger in ledgers {
                group.addTask {
                    for _ in 0..<50 { try await ledger.change(.wrongCodes) { $0.count += 1 } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await ledgers[0].counter(.wrongCodes).count == 150)
    }

    @Test("Each program gets the changes of the other, one by one, and not its own")
    func changes() async throws {
        let (one, other) = (try await kit.open(), try await kit.open())
        let (seenByOne, seenByOther) = (Probe(0), Probe(0))
        let readers = [
            read(try await one.changes(), into: seenByOne), read(try await other.changes(), into: seenByOther),
        ]
        defer { for reader in readers { reader.cancel() } }
        for round in 1...30 {
            try await one.note("from.one")
            try await seenByOther.wait { $0 >= round }
            // By now the kernel has woken both. This lets the writer's own thread handle its event.
            for _ in 0..<4 { _ = try await one.peer(peerID(1)) }
            #expect(seenByOne.value == round - 1)
            try await other.note("from.other")
            try await seenByOne.wait { $0 >= round }
            #expect(seenByOther.value == round)
        }
    }

    @Test("A change from before the wait is reported")
    func changeBeforeWaiting() async throws {
        let (one, other) = (try await kit.open(), try await kit.open())
        let changes = try await one.changes()
        try await other.note("early")
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() != nil)
    }

    @Test("A write without a change is not reported")
    func emptyWrite() async throws {
        let (one, other) = (try await kit.open(), try await kit.open())
        var iterator = try await one.changes().makeAsyncIterator()
        let version = try await one.changeVersion()
        #expect(try await other.forget(peerID(7)) == false)
        #expect(try await one.changeVersion() == version)
        try await other.note("now")
        #expect(try await iterator.next() != nil)
    }

    @Test("A wait for changes ends with an error if another file replaces the ledger")
    func replaced() async throws {
        let (one, other) = (try await kit.open(), try await kit.open())
        var iterator = try await one.changes().makeAsyncIterator()
        let copy = try #require(kit.bytes())
        #expect(rename(kit.file, kit.file + ".old") == 0)
        try kit.replaceFile(with: copy)
        try await other.note("now")
        await #expect(code { _ = try await iterator.next() } == "ledger.replaced")
    }

    @Test("A wait for changes ends when its task is cancelled")
    func cancellation() async throws {
        let reported = Probe(0)
        let ended = Probe(false)
        let changes = try await kit.open().changes()
        let reader = Task {
            for try await _ in changes { reported.count() }
            ended.open()
        }
        reader.cancel()
        try await ended.pass()
        #expect(reported.value == 0)
    }

    @Test("Another process finds a waiting invitation, and its change reaches the owner")
    func twoProcesses() async throws {
        let ledger = try await kit.open()
        let changes = try await ledger.changes()
        let id = InvitationID(high: 1, low: 2)
        try await ledger.invitations.put(waiting(id))
        await #expect(processExitsWith: .success) { [path = kit.path as String] in
            try await blockTheOnlyOneThatWaits(path)
        }
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        #expect(try await ledger.peer(peerID(1))?.policy == .block)
    }

    @Test("A write of `sqlite3`, which sends no signal, is noticed when it ends")
    func foreignWriter() async throws {
        let ledger = try await kit.open()
        let changes = try await ledger.changes()
        await #expect(processExitsWith: .signal(SIGKILL)) { [file = kit.file as String] in
            try LedgerDatabase(at: file).execute("INSERT INTO settings VALUES ('default-policy', 'block')")
            kill(getpid(), SIGKILL)
        }
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        #expect(try await ledger.defaultPolicy() == .block)
    }

    @Test("A write of another program that takes too long is reported")
    func locked() async throws {
        let ledger = try await kit.open()
        let other = try LedgerDatabase(at: kit.file)
        try other.execute("BEGIN IMMEDIATE")
        // Reading continues meanwhile.
        #expect(try await ledger.peers().values.isEmpty)
        #expect(await code { try await ledger.pin(peerID(1)) } == LedgerError.lockedCode)
        try other.execute("ROLLBACK")
        try await ledger.pin(peerID(1))
    }

    private func read(_ changes: LedgerChanges, into probe: Probe<Int>) -> Task<Void, any Error> {
        Task { for try await _ in changes { probe.count() } }
    }
}

/// A second program of the same user beside a running one.
private func blockTheOnlyOneThatWaits(_ path: String) async throws {
    let ledger = try await Ledger.open(at: path)
    let all = try await ledger.invitations.waiting(at: someTime(0)).values
    guard ledger.opening == .opened, let only = all.first, all.count == 1, only.codeNeed == .there else {
        throw NothingWaits()
    }
    try await ledger.setPolicy(.block, for: only.peer)
}

private struct NothingWaits: Error {}

/// An invitation from peer 1 that waits until time 60.
func waiting(_ id: InvitationID, peer: PeerID = peerID(1), cameAt: Int64 = 0) throws -> WaitingInvitation {
    WaitingInvitation(
        id: id,
        peer: peer,
        name: try InstanceName("Deck"),
        session: SessionID(high: 3, low: 4),
        sessionName: try Label("chat"),
        context: [0, 1, 255],
        codeNeed: .there,
        cameAt: someTime(cameAt),
        patienceUntil: someTime(cameAt + 60)
    )
}
