import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("A lease", .timeLimit(.minutes(5)))
struct PlayLeaseTests {
    private func lease(_ peer: UInt8) -> PlayLease { PlayLease(Sample.peer(peer)) }

    @Test("a lease to which no machine objects is granted after a second, repeated every 15, and given back")
    func alone() {
        var lease = lease(1)
        #expect(lease.take(at: .at(0)) == [.send(LeaseClaim(Sample.peer(1), term: 0, isHeld: false))])
        #expect(lease.deadline == .at(1) && lease.deadlinePassed(at: .at(0.9)) == [] && !lease.mayApply)
        let plays = LeaseClaim(Sample.peer(1), term: 0, isHeld: true)
        #expect(lease.deadlinePassed(at: .at(1)) == [.send(plays), .granted])
        #expect(lease.deadline == .at(16))
        let later = LeaseClaim(Sample.peer(1), term: 0, isHeld: true, played: .seconds(15))
        #expect(lease.deadlinePassed(at: .at(16)) == [.send(later)])
        #expect(lease.release() == [.sendRelease] && lease.deadline == nil && lease.mayApply)
    }

    @Test("A claim for a game that runs already says since when, and the next claim starts from zero")
    func runsAlready() {
        let (now, second) = (ContinuousClock.now, Duration.seconds(1))
        var lease = lease(1)
        _ = lease.take(at: now, since: now - .seconds(840))
        let claim = LeaseClaim(Sample.peer(1), term: 0, isHeld: true, played: .seconds(841))
        #expect(lease.deadlinePassed(at: now + second) == [.send(claim), .granted])
        _ = lease.release()
        _ = lease.take(at: now)
        let fresh = LeaseClaim(Sample.peer(1), term: 0, isHeld: true, played: .zero)
        #expect(lease.deadlinePassed(at: now + second) == [.send(fresh), .granted])
    }

    @Test("another machine's lease is shown with the time of its play, and runs out after a minute of silence")
    func another() {
        var lease = lease(2)
        let claim = LeaseClaim(Sample.peer(1), term: 0, isHeld: true, played: .seconds(13 * 60))
        #expect(lease.heard(claim, at: .at(0)) == [])
        #expect(lease.holder(at: .at(59)) == .some(.init(Sample.peer(1), played: .seconds(13 * 60 + 59))))
        #expect(lease.take(at: .at(59)) == [.denied(Sample.peer(1))])
        #expect(lease.deadline == .at(60) && lease.deadlinePassed(at: .at(59.9)) == [])
        #expect(lease.deadlinePassed(at: .at(3_600)) == [.ranOut(Sample.peer(1))] && lease.holder(at: .at(60)) == nil)
    }

    @Test("a lease that two machines ask for at once goes to the smaller id on both, whichever claim is heard first")
    func atOnce() {
        var (one, two) = (lease(1), lease(2))
        _ = one.take(at: .at(0))
        _ = two.take(at: .at(0))
        let (first, second) = (
            LeaseClaim(Sample.peer(1), term: 0, isHeld: false), LeaseClaim(Sample.peer(2), term: 0, isHeld: false)
        )
        #expect(one.heard(second, at: .at(0.1)) == [.send(first)] && one.state == .claiming)
        #expect(two.heard(first, at: .at(0.1)) == [.denied(Sample.peer(1))] && two.state == .theirs)
    }

    @Test("a requested lease is ours when the other machine releases it, and after two minutes the request has failed")
    func request() {
        var lease = lease(2)
        for second in stride(from: 0.0, through: 120, by: 15) {
            _ = lease.heard(LeaseClaim(Sample.peer(1), term: 0, isHeld: true), at: .at(second))
            if second == 0 { #expect(lease.request(at: .at(0)) == [.sendRequest(Sample.peer(1))]) }
        }
        #expect(lease.deadlinePassed(at: .at(120)) == [.requestUnanswered(Sample.peer(1))] && lease.state == .theirs)
        _ = lease.request(at: .at(121))
        #expect(lease.heardRelease(Sample.peer(3), at: .at(122)) == [])
        #expect(
            lease.heardRelease(Sample.peer(1), at: .at(122)) == [
                .send(LeaseClaim(Sample.peer(2), term: 0, isHeld: false))
            ]
        )
    }

    @Test("a lease that was taken by force is lost there, even if its holder learns of it only with the next claim")
    func force() {
        var (one, two) = (lease(1), lease(2))
        _ = one.force(at: .at(0))
        _ = two.heard(LeaseClaim(Sample.peer(1), term: 0, isHeld: true), at: .at(0))
        #expect(two.force(at: .at(1)) == [.send(LeaseClaim(Sample.peer(2), term: 1, isHeld: true)), .granted])
        let later = two.deadlinePassed(at: .at(16))
        let said = LeaseClaim(Sample.peer(2), term: 1, isHeld: true, played: .seconds(15))
        #expect(later == [.send(said)])
        #expect(one.heard(said, at: .at(16)) == [.lost(Sample.peer(2))] && one.state == .theirs)
        #expect(
            two.heard(LeaseClaim(Sample.peer(1), term: 0, isHeld: true), at: .at(17)) == [
                .send(LeaseClaim(Sample.peer(2), term: 1, isHeld: true, played: .seconds(16)))
            ]
        )
    }

    @Test("the lease of a machine that slept for long is not taken back from a player, and not lost to a mere request")
    func slept() {
        var (one, two) = (lease(1), lease(2))
        _ = one.force(at: .at(0))
        _ = two.force(at: .at(100))
        _ = one.deadlinePassed(at: .at(200))
        let asks = LeaseClaim(Sample.peer(2), term: 0, isHeld: false)
        #expect(
            one.heard(asks, at: .at(200)) == [
                .send(LeaseClaim(Sample.peer(1), term: 0, isHeld: true, played: .seconds(200)))
            ]
        )
        let plays = LeaseClaim(Sample.peer(2), term: 0, isHeld: true)
        #expect(one.heard(plays, at: .at(200)) == [.lost(Sample.peer(2))])
    }

    @Test("another machine's lease is known from before a restart until it runs out, and a greater term takes it")
    func recalled() {
        var lease = lease(2)
        let claim = LeaseClaim(Sample.peer(1), term: 4, isHeld: true, played: .seconds(840))
        #expect(lease.recall(claim, after: .seconds(20), at: .at(100)).isEmpty)
        #expect(lease.state == .theirs && lease.deadline == .at(140))
        #expect(lease.holder(at: .at(101)) == .some(.init(Sample.peer(1), played: .seconds(861))))
        #expect(lease.lastHeld?.claim == claim && lease.lastHeld?.heard == .at(80))
        #expect(lease.force(at: .at(102)) == [.send(LeaseClaim(Sample.peer(2), term: 5, isHeld: true)), .granted])
        #expect(lease.lastHeld == nil)
    }

    @Test("our own lease goes on after a restart, with its term and for as long as it has run, unless it has run out")
    func ownRecalled() {
        var lease = lease(1)
        let claim = LeaseClaim(Sample.peer(1), term: 4, isHeld: true, played: .seconds(840))
        let now = LeaseClaim(Sample.peer(1), term: 4, isHeld: true, played: .seconds(860))
        #expect(lease.recall(claim, after: .seconds(20), at: .at(1_000)) == [.send(now), .granted])
        #expect(lease.state == .held && lease.ownHeld?.claim == now && lease.ownHeld?.heard == .at(1_000))
        #expect(lease.release() == [.sendRelease])
        #expect(lease.ownHeld == nil)
        var late = self.lease(1)
        #expect(late.recall(claim, after: .seconds(60), at: .at(1_000)).isEmpty)
        #expect(late.state == .free)
    }

    @Test("a lease that has run out, was only requested, or comes beside another one, is not recalled")
    func notRecalled() {
        let claim = LeaseClaim(Sample.peer(1), term: 0, isHeld: true)
        var late = lease(2)
        _ = late.recall(claim, after: .seconds(60), at: .at(0))
        #expect(late.state == .free && late.deadline == nil)
        var asked = lease(2)
        _ = asked.recall(LeaseClaim(Sample.peer(1), term: 0, isHeld: false), after: .zero, at: .at(0))
        #expect(asked.state == .free)
        var held = lease(2)
        _ = held.force(at: .at(0))
        _ = held.recall(claim, after: .zero, at: .at(1))
        #expect(held.state == .held)
        var early = lease(2)
        _ = early.recall(claim, after: .seconds(-3_600), at: .at(0))
        #expect(early.deadline == .at(60))
    }

    /// The links between the machines fail from time to time.
    @Test(
        "one machine holds a lease once all have heard each other for long enough, whatever happened before",
        arguments: 0..<100 as Range<UInt64>
    )
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var leases = (1...3).map { lease($0) }
        var now = 0.0
        func tell(_ actions: [PlayLease.Action], from: Int, in leases: inout [PlayLease], isApart: Bool) {
            var waiting = actions.map { (from, $0) }
            while !waiting.isEmpty {
                let (sender, action) = waiting.removeFirst()
                for other in leases.indices where other != sender && !isApart {
                    switch action {
                    case .send(let claim): waiting += leases[other].heard(claim, at: .at(now)).map { (other, $0) }
                    case .sendRelease:
                        waiting += leases[other].heardRelease(Sample.peer(UInt8(sender + 1)), at: .at(now)).map {
                            (other, $0)
                        }
                    default: break
                    }
                }
            }
        }
        for step in 0..<150 {
            now += Double.random(in: 0...20, using: &generator)
            let isApart = step < 100 && (step / 20) % 2 == 1
            for place in leases.indices {
                tell(leases[place].deadlinePassed(at: .at(now)), from: place, in: &leases, isApart: isApart)
            }
            let place = Int.random(in: 0..<3, using: &generator)
            guard step < 100 else { continue }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: tell(leases[place].take(at: .at(now)), from: place, in: &leases, isApart: isApart)
            case 1: tell(leases[place].force(at: .at(now)), from: place, in: &leases, isApart: isApart)
            case 2: tell(leases[place].release(), from: place, in: &leases, isApart: isApart)
            case 3: tell(leases[place].request(at: .at(now)), from: place, in: &leases, isApart: isApart)
            case _: break
            }
        }
        let holders = leases.indices.filter { leases[$0].state == .held }
        #expect(holders.count <= 1, "seed \(seed)")
        for lease in leases where lease.state != .held && lease.state != .claiming {
            #expect(
                lease.holder(at: .at(now))?.peer == holders.first.map { Sample.peer(UInt8($0 + 1)) },
                "seed \(seed)"
            )
        }
    }
}
