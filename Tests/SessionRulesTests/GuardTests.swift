import SessionRules
import Testing
import TestSupport
import Vocabulary

@Suite("Decisions about invitations", .timeLimit(.minutes(5)))
struct DecisionTests {
    typealias Facts = Decision.Facts

    @Test(
        "Each case has its verdict and its word",
        arguments: [
            (Facts(), .ask, "asked-unpinned"),
            (Facts(isPinned: true), .ask, "asked"),
            (Facts(defaultPolicy: .accept), .ask, "asked-unpinned"),
            (Facts(policyOfKey: .accept), .ask, "asked-unpinned"),
            (Facts(policyOfKey: .accept, isPinned: true), .accept, "accepted"),
            (Facts(defaultPolicy: .accept, isPinned: true), .accept, "accepted-by-default"),
            (Facts(policyOfKey: .ask, defaultPolicy: .accept, isPinned: true), .ask, "asked"),
            (Facts(policyOfKey: .accept, isPinned: true, isFull: true), .refuse(.full), "full"),
            (Facts(policyOfKey: .accept, isPinned: true, permissions: []), .refuse(.notPermitted), "not-permitted"),
            (Facts(isFull: true), .silence, "full"),
            (Facts(isPinned: true, isFull: true), .silence, "full"),
            (Facts(policyOfKey: .block), .silence, "blocked"),
            (Facts(policyOfKey: .block, defaultPolicy: .accept, isPinned: true), .silence, "blocked"),
            (Facts(defaultPolicy: .block, isPinned: true), .silence, "blocked-by-default"),
            (Facts(policyOfKey: .accept, defaultPolicy: .block, isPinned: true), .accept, "accepted"),
            (Facts(isLockedOut: true), .silence, "locked-out"),
            (Facts(policyOfKey: .accept, isPinned: true, isLockedOut: true), .silence, "locked-out"),
            (Facts(policyOfKey: .block, isLockedOut: true), .silence, "blocked"),
        ] as [(Facts, Decision.Verdict, String)]
    )
    func cases(facts: Facts, verdict: Decision.Verdict, word: String) {
        let decision = Decision(facts)
        #expect(decision.verdict == verdict)
        #expect(decision.auditWord == word)
    }

    @Test("Only a pinned key with the policy accept gets an answer without the user")
    func onlyFriends() {
        for policy in [nil, .accept, .ask, .block] as [Policy?] {
            for standard in Policy.allCases {
                for bits in 0..<16 {
                    let facts = Facts(
                        policyOfKey: policy,
                        defaultPolicy: standard,
                        isPinned: bits & 1 != 0,
                        isLockedOut: bits & 2 != 0,
                        permissions: bits & 4 != 0 ? [] : .all,
                        isFull: bits & 8 != 0
                    )
                    let isFriend = facts.isPinned && !facts.isLockedOut && (policy ?? standard) == .accept
                    let verdict = Decision(facts).verdict
                    #expect((verdict != .silence && verdict != .ask) == isFriend)
                    if (policy ?? standard) == .block { #expect(verdict == .silence) }
                }
            }
        }
    }
}

@Suite("The lock-out after wrong codes", .timeLimit(.minutes(5)))
struct LockOutTests {
    private let now: Int64 = 1_800_000_000

    @Test("Three wrong codes are free, then the wait doubles from 30 seconds to an hour")
    func growth() {
        var lock = LockOut(.perKey)
        let waits = (0..<12).map { _ in
            lock.count(at: now)
            return lock.secondsLeft(at: now)
        }
        #expect(waits == [0, 0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
    }

    @Test("More wrong codes are free for all keys together")
    func overall() {
        var lock = LockOut(.overall)
        for _ in 0..<10 { lock.count(at: now) }
        #expect(lock.secondsLeft(at: now) == 0)
        lock.count(at: now)
        #expect(lock.secondsLeft(at: now) == 30)
    }

    @Test("The wait passes, also after the state was stored and loaded")
    func persistence() {
        var lock = LockOut(.perKey)
        for _ in 0..<5 { lock.count(at: now) }
        let kept = LockOut(.perKey, count: lock.count, until: lock.until)
        #expect(kept == lock)
        #expect(kept.secondsLeft(at: now + 20) == 40)
        #expect(kept.secondsLeft(at: now + 60) == 0)
    }

    @Test("The right code, or a day without wrong ones, ends the lock-out")
    func forgetting() {
        var lock = LockOut(.perKey)
        for _ in 0..<4 { lock.count(at: now) }
        #expect(!lock.isForgotten(at: now + 86_400))
        #expect(lock.isForgotten(at: now + 30 + 86_400))
        var later = lock
        later.count(at: now + 30 + 86_400)
        #expect(later.count == 1)
        lock.forget()
        #expect(lock.isForgotten(at: now))
        #expect(lock.secondsLeft(at: now) == 0)
    }

    @Test("A clock that is set back, or damaged numbers, never make the wait endless")
    func clocks() {
        var lock = LockOut(.perKey)
        for _ in 0..<4 { lock.count(at: now) }
        #expect(lock.secondsLeft(at: 0) == 30)
        #expect(LockOut(.perKey, count: -5, until: 9_000_000_000).secondsLeft(at: now) == 0)
        #expect(LockOut(.perKey, count: .max, until: .max).secondsLeft(at: 0) == 3600)
        #expect(LockOut(.perKey, count: .max, until: .max).secondsLeft(at: -5) == 3600)
    }
}

@Suite("Admission of connections", .timeLimit(.minutes(5)))
struct AdmissionTests {
    typealias Door = Admission<Int, String>

    @Test("Eight connections from one address are admitted, and a ninth once one leaves")
    func perAddress() {
        var admission = Door()
        for number in 0..<8 { #expect(admission.arrived(number, from: "a", at: .at(0)) == .admit) }
        #expect(admission.arrived(8, from: "a", at: .at(1)) == .refuse)
        #expect(admission.arrived(9, from: "b", at: .at(0)) == .admit)
        admission.left(3)
        admission.left(3)
        #expect(admission.arrived(10, from: "a", at: .at(0)) == .admit)
        #expect(admission.arrived(11, from: "a", at: .at(0)) == .refuse)
    }

    @Test("A crowded address replaces its own idle connections and no others")
    func crowdedAddress() {
        var admission = Door(.init(overall: 9, perAddress: 2))
        _ = admission.arrived(0, from: "b", at: .at(0))
        for number in 1...2 { _ = admission.arrived(number, from: "a", at: .at(Double(number))) }
        #expect(admission.arrived(3, from: "a", at: .at(2.9)) == .refuse)
        #expect(admission.arrived(4, from: "a", at: .at(3)) == .admitInsteadOf(1))
        #expect(admission.count == 3)
    }

    @Test("Strangers take no places of familiar addresses, however many come")
    func familiarAddresses() {
        var admission = Door(.init(overall: 4, perAddress: 2, perFamiliarAddress: 3))
        for number in 0..<4 { #expect(admission.arrived(number, from: "\(number)", at: .at(0)) == .admit) }
        #expect(admission.arrived(4, from: "4", at: .at(0)) == .refuse)
        for number in 5...7 {
            #expect(admission.arrived(number, from: "friend", .familiar, at: .at(Double(number) / 10)) == .admit)
        }
        #expect(admission.arrived(8, from: "friend", .familiar, at: .at(0.8)) == .refuse)
        #expect(admission.count == 7)
        // A stranger at the address of one paired machine does not keep another paired machine from connecting.
        #expect(admission.arrived(9, from: "other", .familiar, at: .at(0.8)) == .admit)
        #expect(admission.arrived(10, from: "third", .familiar, at: .at(0.8)) == .admitInsteadOf(5))
        admission.left(6)
        #expect(admission.count == 7)
        #expect(admission.arrived(11, from: "friend", .familiar, at: .at(0.8)) == .admit)
    }

    @Test("The address with most connections loses one at once to an address with two fewer")
    func fairness() {
        var admission = Door(.init(overall: 6, perAddress: 3))
        for number in 0..<6 {
            _ = admission.arrived(number, from: number < 3 ? "a" : "b", at: .at(Double(number) / 10))
        }
        #expect(admission.arrived(6, from: "c", at: .at(1)) == .admitInsteadOf(0))
        #expect(admission.arrived(7, from: "c", at: .at(1)) == .admitInsteadOf(3))
        // Now each address has two. The oldest connection stays until the stall limit.
        #expect(admission.arrived(8, from: "c", at: .at(1)) == .refuse)
        #expect(admission.arrived(9, from: "d", at: .at(1)) == .admitInsteadOf(1))
        // Idle connections of the addresses with most go before the oldest of all, whose address has one.
        #expect(admission.arrived(10, from: "d", at: .at(9)) == .admitInsteadOf(4))
    }

    @Test("If all places are taken, the oldest unknown connection is replaced, unless all are new")
    func overall() {
        var admission = Door(.init(overall: 3, perAddress: 2))
        for number in 0..<3 { _ = admission.arrived(number, from: "\(number)", at: .at(Double(number))) }
        #expect(admission.arrived(3, from: "3", at: .at(1.9)) == .refuse)
        #expect(admission.arrived(4, from: "4", at: .at(2)) == .admitInsteadOf(0))
        #expect(admission.count == 3)
        #expect(admission.arrived(5, from: "5", at: .at(3)) == .admitInsteadOf(1))
    }

    @Test("The limits hold for random connections, and no place is left taken", arguments: 0..<50)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var admission = Door(.init(overall: 10, perAddress: 3, perFamiliarAddress: 4))
        var inside: [Int: Int] = [:]
        for number in 0..<2000 {
            if Bool.random(using: &generator), let one = inside.keys.randomElement(using: &generator) {
                admission.left(one)
                inside[one] = nil
            }
            // Addresses from 6 on are familiar.
            let address = Int.random(in: 0..<12, using: &generator)
            let acquaintance = address < 6 ? Door.Acquaintance.stranger : .familiar
            switch admission.arrived(number, from: "\(address)", acquaintance, at: .at(Double(number) * 0.3)) {
            case .admit: inside[number] = address
            case .admitInsteadOf(let other):
                #expect(inside.removeValue(forKey: other) != nil, "seed \(seed)")
                inside[number] = address
            case .refuse: break
            }
            let counts = Dictionary(grouping: inside.values) { $0 }.mapValues(\.count)
            let strangers = inside.values.count { $0 < 6 }
            #expect(
                strangers <= 10 && inside.count - strangers <= 10 && inside.count == admission.count,
                "seed \(seed)"
            )
            #expect(counts.allSatisfy { $0.value <= ($0.key < 6 ? 3 : 4) }, "seed \(seed)")
        }
    }
}

@Suite("Topologies", .timeLimit(.minutes(5)))
struct TopologyTests {
    private let members = (1...5).map { Sample.peer($0) }

    @Test("A star connects with its host, a mesh all with all, and a pair has two members")
    func neighbours() {
        let host = members[2]
        #expect(Topology.mesh.neighbours(of: members[0], host: host, members: members) == Array(members.dropFirst()))
        #expect(Topology.star.neighbours(of: members[0], host: host, members: members) == [host])
        #expect(Topology.star.neighbours(of: host, host: host, members: members).count == 4)
        #expect(Topology.pair.capacity == 2)
        #expect(Topology.mesh.capacity == nil)
        #expect(Topology.mesh.isReported(members[0], host: host))
        #expect(!Topology.star.isReported(members[0], host: host))
    }

    @Test("One of two members dials at once and the other one later, by the rule of both")
    func dialling() {
        for one in members {
            for other in members where other != one {
                let waits = [
                    Topology.waitBeforeDialling(from: one, to: other),
                    Topology.waitBeforeDialling(from: other, to: one),
                ]
                #expect(Set(waits) == [.zero, Topology.stepInAfter])
                for topology in Topology.allCases {
                    let isMutual = members.allSatisfy {
                        topology.connects(one, other, host: $0) == topology.connects(other, one, host: $0)
                    }
                    #expect(isMutual)
                }
            }
        }
    }
}
