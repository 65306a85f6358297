import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Connections to introduced peers", .timeLimit(.minutes(1)))
@Engine
struct MeshConnectorTests {
    private let introductions = MeshConnector(pause: .milliseconds(1), between: 0.001...0.002)
    private let tried = Probe<[Int]>([])

    private func id(_ number: UInt8) throws -> PeerID {
        try #require(PeerID(bytes: [UInt8](repeating: number, count: 32)))
    }

    private func begin(
        _ peer: PeerID,
        _ said: String,
        of teller: UInt8,
        _ attempt: @escaping MeshConnector.Attempt
    ) throws {
        introductions.begin(peer, on: .init(expected: said, said: said), of: try id(teller), after: .zero, attempt)
    }

    private func ended(_ peer: PeerID) async {
        while introductions.contains(peer) { await Task.yield() }
    }

    @Test("An unreachable peer is tried hardly more often than for one introduction, however many there are")
    func unreachable() async throws {
        let (peer, tried) = (try id(0), tried)
        for teller in 1...20 {
            try begin(peer, "a", of: UInt8(teller)) { _ in
                tried.record(teller)
                return .unreachable
            }
        }
        await ended(peer)
        #expect((6...40).contains(tried.value.count))
    }

    @Test("Each introduction is tried as long as alone, even if many others fail")
    func lasting() async throws {
        let introductions = MeshConnector(pause: .milliseconds(1), between: 0.02...0.02)
        let (peer, start) = (try id(0), ContinuousClock.now)
        for teller in 1...20 {
            let word = MeshConnector.Word(expected: "a", said: "a")
            introductions.begin(peer, on: word, of: try id(UInt8(teller)), after: .zero) { _ in .unreachable }
        }
        while introductions.contains(peer) { await Task.yield() }
        #expect(ContinuousClock.now - start >= .milliseconds(90))
    }

    @Test("While an attempt is in progress, another one waits for its result and then tries itself")
    func underWay() async throws {
        let (peer, tried, gate, isTrying) = (try id(0), tried, Probe(false), Probe(false))
        try begin(peer, "a", of: 1) { _ in
            isTrying.open()
            try? await gate.pass()
            return .failed
        }
        try await isTrying.pass()
        let isWaiting = Probe(false)
        try begin(peer, "b", of: 2) { _ in
            tried.record(2)
            isWaiting.open()
            return gate.value ? .settled : .underWay
        }
        try await isWaiting.pass()
        // This takes far longer than the next attempt would, if it did not wait.
        let others = try id(9)
        try begin(others, "c", of: 3) { _ in .failed }
        await ended(others)
        #expect(tried.value == [2])
        gate.open()
        introductions.hasChanged(peer)
        while introductions.tellers(of: peer).contains(try id(2)) { await Task.yield() }
        #expect(tried.value == [2, 2])
        introductions.stopAll()
        #expect(!introductions.contains(peer))
    }

    @Test("An attempt in progress is awaited, and repeated after a failure as often as any other")
    func begun() async throws {
        let (peer, tried, introductions) = (try id(0), tried, introductions)
        try begin(peer, "a", of: 1) { _ in
            tried.record(1)
            // After it is awaited.
            Engine.begin {
                await EventLoop.shared.letOthersRun()
                introductions.hasChanged(peer)
            }
            return .begun
        }
        await ended(peer)
        #expect(tried.value.count == 6)
    }

    @Test("A peer that declines is tried with each token: only one of them may be right")
    func refused() async throws {
        let (peer, tried) = (try id(0), tried)
        for teller in 1...2 {
            try begin(peer, "\(teller)", of: UInt8(teller)) { _ in
                tried.record(teller)
                return .failed
            }
        }
        await ended(peer)
        #expect(tried.value.sorted() == [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
    }

    @Test("A new introduction replaces the member's previous one, during its attempts and after")
    func again() async throws {
        let (peer, said) = (try id(0), Probe<[String]>([]))
        let attempt: MeshConnector.Attempt = { word in
            said.record(word)
            return word == "b" ? .settled : .failed
        }
        try begin(peer, "a", of: 1, attempt)
        try await said.wait { !$0.isEmpty }
        try begin(peer, "b", of: 1, attempt)
        #expect(introductions.expects(peer, as: "b") && !introductions.expects(peer, as: "a"))
        await ended(peer)
        #expect(said.value.last == "b")
        try begin(peer, "b", of: 1, attempt)
        await ended(peer)
        #expect(said.value.suffix(2) == ["b", "b"])
    }

    @Test("However many introductions one member makes, another's counts")
    func manyWords() async throws {
        let peer = try id(0)
        for number in 0..<40 { try begin(peer, "\(number)", of: 1) { _ in .failed } }
        try begin(peer, "a", of: 2) { _ in .failed }
        #expect(introductions.expects(peer, as: "39") && introductions.expects(peer, as: "a"))
        #expect(!introductions.expects(peer, as: "38"))
        await ended(peer)
    }
}
