import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Meetings with those whom others have told of", .timeLimit(.minutes(1)))
@Engine
struct MeetingsTests {
    private let meetings = Meetings(pause: .milliseconds(1), between: 0.001...0.002)
    private let tried = Probe<[Int]>([])

    private func id(_ number: UInt8) throws -> PeerID {
        try #require(PeerID(bytes: [UInt8](repeating: number, count: 32)))
    }

    @Test("one to whom there is no way is tried six times in all, however many have told of it")
    func unreachable() async throws {
        let peer = try id(0)
        for teller in 1...20 {
            let tried = tried
            meetings.meet(peer, expecting: "\(teller)", for: try id(UInt8(teller)), after: .zero) {
                tried.record(teller)
                return .unreachable
            }
        }
        while meetings.contains(peer) { await Task.yield() }
        #expect(tried.value.count == 6)
        // Whoever tells of it now may know better.
        let tried = tried
        meetings.meet(peer, expecting: "a", for: try id(1), after: .zero) {
            tried.record(0)
            return .settled
        }
        while meetings.contains(peer) { await Task.yield() }
        #expect(tried.value.last == 0)
    }

    @Test("while one's attempt is under way, another waits for what becomes of it, and then tries itself")
    func underWay() async throws {
        let (peer, tried, gate, meetings) = (try id(0), tried, Probe(false), meetings)
        let isTrying = Probe(false)
        meetings.meet(peer, expecting: "a", for: try id(1), after: .zero) {
            isTrying.open()
            try? await gate.pass()
            tried.record(1)
            return .failed
        }
        try await isTrying.pass()
        let isWaiting = Probe(false)
        meetings.meet(peer, expecting: "b", for: try id(2), after: .zero) {
            guard gate.value else {
                isWaiting.open()
                return .underWay
            }
            tried.record(2)
            return .settled
        }
        try await isWaiting.pass()
        await EventLoop.shared.letOthersRun()
        gate.open()
        meetings.hasChanged(peer)
        while meetings.tellers(of: peer).contains(try id(2)) { await Task.yield() }
        #expect(tried.value.contains(2))
        meetings.stopAll()
        #expect(!meetings.contains(peer))
    }

    @Test("one that says no is tried as often on each word: only one of them may be the right one")
    func refused() async throws {
        let (peer, tried) = (try id(0), tried)
        for teller in 1...2 {
            meetings.meet(peer, expecting: "\(teller)", for: try id(UInt8(teller)), after: .zero) {
                tried.record(teller)
                return .failed
            }
        }
        while meetings.contains(peer) { await Task.yield() }
        #expect(tried.value.sorted() == [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
    }
}
