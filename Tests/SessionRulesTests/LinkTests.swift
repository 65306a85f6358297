import SessionRules
import Testing
import TestSupport
import Vocabulary

@Suite("Links", .timeLimit(.minutes(5)))
struct LinkTests {
    @Test("An answerer begins with TLS and accepts any key but its own")
    func answerer() {
        var machine = LinkHandshake(.answerer, own: Sample.small, at: .at(0))
        #expect(machine.state == .securing)
        var other = machine
        #expect(machine.secured(by: Sample.peer(9), at: .at(1)) == [.sendHello])
        #expect(other.secured(by: Sample.small, at: .at(1)) == [.fail(.unreachable)])
    }

    @Test("Each step has a deadline of its own, counted from the step before", arguments: 0...2)
    func deadlines(step: Int) {
        var machine = LinkHandshake.sample(through: step)
        let due = ContinuousClock.Instant.at(Double(step) + 5)
        #expect(machine.deadline == due)
        #expect(machine.deadlinePassed(at: due - .milliseconds(1)) == [])
        #expect(machine.deadlinePassed(at: due) == [.fail(step == 0 ? .unreachable : .timedOut)])
        #expect(machine.deadline == nil)
    }

    @Test("A handshake ends once and by its deadlines, in any order of events", arguments: 0..<200)
    func randomHandshakes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var machine = LinkHandshake(.dialler(expecting: nil), own: Sample.small, at: .at(0))
        var ends = 0
        var now = 0.0
        while let deadline = machine.deadline {
            now += Double.random(in: 0...3, using: &generator)
            let actions = try act(on: &machine, at: max(.at(now), .at(0)), deadline, &generator)
            ends += actions.count { $0.isEnd }
        }
        #expect(ends == 1, "seed \(seed)")
        #expect(now <= 15 + 3, "seed \(seed)")
        #expect(machine.failed(.connection) == [] && machine.deadlinePassed(at: .at(99)) == [])
    }

    private func act(
        on machine: inout LinkHandshake,
        at now: ContinuousClock.Instant,
        _ deadline: ContinuousClock.Instant,
        _ generator: inout SeededGenerator
    ) throws -> [LinkHandshake.Action] {
        if deadline <= now { return machine.deadlinePassed(at: now) }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return []
        case 1:
            return machine.failed(
                [.connection, .unreadable, .noCommonVersion].randomElement(using: &generator) ?? .replaced
            )
        case _:
            switch machine.state {
            case .connecting: return machine.connected(at: now)
            case .securing: return machine.secured(by: Sample.peer(UInt8.random(in: 1...3, using: &generator)), at: now)
            case .greeting: return try machine.receivedHello()
            case .established, .failed: return []
            }
        }
    }
}

extension LinkHandshake.Action {
    fileprivate var isEnd: Bool {
        switch self {
        case .secure, .sendHello: false
        case .establish, .fail: true
        }
    }
}

@Suite("Two connections between the same peers", .timeLimit(.minutes(5)))
struct DuplicateLinksTests {
    private func claim(_ dialler: PeerID, run: UInt64 = 1, at seconds: Double = 0) -> DuplicateLinks.Claim {
        DuplicateLinks.Claim(dialler: dialler, runToken: run, since: .at(seconds))
    }

    @Test("The crossed dial of the smaller ID survives, in any order")
    func crossed() {
        let (bySmall, byLarge) = (claim(Sample.small, at: 1), claim(Sample.large, at: 1))
        #expect(DuplicateLinks.survivor(existing: bySmall, new: byLarge, other: Sample.large) == .existing)
        #expect(DuplicateLinks.survivor(existing: byLarge, new: bySmall, other: Sample.small) == .new)
    }

    @Test("A peer that restarts, dials again, or dials much later, has lost the old link")
    func renewed() {
        let old = claim(Sample.small)
        #expect(DuplicateLinks.survivor(existing: old, new: claim(Sample.large, run: 2), other: Sample.large) == .new)
        #expect(DuplicateLinks.survivor(existing: old, new: claim(Sample.small, at: 1), other: Sample.large) == .new)
        #expect(
            DuplicateLinks.survivor(existing: old, new: claim(Sample.large, at: 15), other: Sample.large) == .existing
        )
        #expect(DuplicateLinks.survivor(existing: old, new: claim(Sample.large, at: 15.1), other: Sample.large) == .new)
    }
}

@Suite("Liveness", .timeLimit(.minutes(5)))
struct LivenessTests {
    @Test("Silence leads to a ping after 3 seconds, a suspicion after 5 and the end after 10")
    func silence() {
        var machine = Liveness(at: .at(0))
        var reported: [(Liveness.Action, ContinuousClock.Instant)] = []
        while let deadline = machine.deadline {
            for action in machine.check(at: deadline) { reported.append((action, deadline)) }
        }
        #expect(reported.map(\.0) == [.ping, .suspect, .lost])
        #expect(reported.map(\.1) == [.at(3), .at(5), .at(10)])
    }

    @Test("After an answer the peer is alive, and the silence counts from there")
    func answer() {
        var machine = Liveness(at: .at(0))
        _ = machine.check(at: .at(6))
        #expect(machine.heard(at: .at(7)) == [.recovered])
        #expect(machine.heard(at: .at(7)) == [])
        #expect(machine.deadline == .at(10))
        #expect(machine.heard(at: .at(6)) == [])
        #expect(machine.deadline == .at(10))
    }

    @Test("A peer is lost only after 10 seconds of silence, and once", arguments: 0..<200)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var machine = Liveness(at: .at(0))
        var (now, heard, losses) = (0.0, 0.0, 0)
        for _ in 0..<100 {
            now += Double.random(in: 0...4, using: &generator)
            if Int.random(in: 0..<4, using: &generator) == 0, machine.state != .lost {
                _ = machine.heard(at: .at(now))
                heard = now
            }
            losses += machine.check(at: .at(now)).count { $0 == .lost }
            #expect((losses == 1) == (machine.state == .lost), "seed \(seed)")
            #expect(losses == 0 ? now - heard < 10.001 : true, "seed \(seed)")
        }
    }
}

@Suite("Reconnection", .timeLimit(.minutes(5)))
struct ReconnectionTests {
    /// Dials until the time limit. Each attempt takes some milliseconds and fails.
    private func attempts(seed: UInt64, hintEvery: Double? = nil) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        var machine = Reconnection(dials: true, at: .at(0), using: &generator)
        var times: [Double] = []
        var now = Sample.start
        var nextHint = hintEvery.map { now + .seconds($0) }
        while let deadline = machine.deadline {
            now = max(now, min(deadline, nextHint ?? deadline))
            var actions = machine.deadlinePassed(at: now)
            if let hint = nextHint, let hintEvery, hint <= now {
                actions += machine.hinted(at: now)
                nextHint = hint + .seconds(hintEvery)
            }
            guard actions == [.dial] else { continue }
            times.append((now - Sample.start) / .seconds(1))
            now += .milliseconds(10)
            _ = machine.attemptFailed(at: now, using: &generator)
        }
        return times
    }

    @Test("The waits grow to ten seconds and end after ten minutes", arguments: 0..<50)
    func pace(seed: UInt64) {
        let times = attempts(seed: seed)
        #expect((0.04...0.11).contains(times.first ?? 0), "seed \(seed)")
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 < 10.02 }, "seed \(seed)")
        #expect(gaps.suffix(30).allSatisfy { $0 > 4.9 }, "seed \(seed)")
        #expect((times.last ?? 0) < 600 && (60...140).contains(times.count), "seed \(seed): \(times.count)")
    }

    @Test("Many hints cause at most one attempt a second", arguments: 0..<20)
    func storm(seed: UInt64) {
        let times = attempts(seed: seed, hintEvery: 0.05)
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        // The first waits are shorter than a second by themselves.
        #expect(times.count { $0 > 10 } <= 660, "seed \(seed): \(times.count)")
        #expect(gaps.allSatisfy { $0 <= 1.2 }, "seed \(seed)")
    }

    @Test("A hint during a wait dials at once, and during an attempt right after it")
    func hints() {
        var generator = SeededGenerator(seed: 1)
        var machine = Reconnection(dials: true, at: .at(0), using: &generator)
        for _ in 0..<12 {
            guard let deadline = machine.deadline else { break }
            _ = machine.deadlinePassed(at: deadline)
            _ = machine.attemptFailed(at: deadline, using: &generator)
        }
        guard let late = machine.deadline else { return }
        #expect(machine.hinted(at: late - .seconds(3)) == [.dial])
        #expect(machine.hinted(at: late - .seconds(2.5)) == [])
        _ = machine.attemptFailed(at: late - .seconds(2.4), using: &generator)
        #expect(machine.deadline == late - .seconds(2))
    }

    @Test("Machines that lose each other together don't dial together")
    func jitter() {
        #expect(Set((0..<20).map { attempts(seed: $0).first ?? 0 }).count == 20)
    }
}

@Suite("Shutdown", .timeLimit(.minutes(5)))
struct ShutdownTests {
    @Test("A shutdown says bye once, closes once, and closes in time", arguments: 0..<100)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var machine = Shutdown()
        var reported = machine.begin(isIdle: Bool.random(using: &generator), at: .at(0))
        var now = 0.0
        while let deadline = machine.deadline {
            now += Double.random(in: 0...2, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: reported += machine.begin(isIdle: true, at: .at(now))
            case 1: reported += machine.drained(at: .at(now))
            case 2 where machine.state == .parting: reported += machine.byesSent()
            case _: reported += machine.deadlinePassed(at: max(deadline, .at(now)))
            }
        }
        #expect(reported == [.refuseNew, .sayBye, .close], "seed \(seed)")
        #expect(now <= 8)
    }
}
