import SessionRules
import Testing
import TestSupport
import Vocabulary

@Suite("Transfers", .timeLimit(.minutes(5)))
struct TransferTests {
    @Test(
        "Both sides end once and agree that it is stored, whatever breaks or is cancelled",
        arguments: 0..<300
    )
    func randomPlays(seed: UInt64) throws {
        var play = TransferPlay(seed: seed)
        for _ in 0..<600 { try play.step() }
        try play.settle()
        #expect(play.sendingEnds.count == 1 && play.receivingEnds.count <= 1, "seed \(seed)")
        let isStoredThere = play.receivingEnds == [.stored]
        #expect(play.sendingEnds != [.stored] || isStoredThere, "seed \(seed)")
        // Only a cancellation or a fault may keep the sender from learning that it is stored.
        #expect(play.sendingEnds == [.stored] || !isStoredThere || play.isDisturbed, "seed \(seed)")
        // A sender that reports a cancellation knows that the receiver has not stored it.
        for case .cancelledHere in play.sendingEnds { #expect(!isStoredThere, "seed \(seed)") }
    }

    @Test("Bytes are verified each 4 MiB, and a resumed transfer counts from its offset")
    func verification() throws {
        let mebi: UInt64 = 1 << 20
        var machine = TransferReceiving(total: 100 * mebi, at: .at(0))
        _ = machine.accept(at: .at(0))
        _ = try machine.receivedBegin(at: .at(0))
        _ = machine.measured(10 * mebi, at: .at(0))
        #expect(throws: ProtocolViolation.self) { _ = try machine.receivedStart(10 * mebi + 1, at: .at(0)) }
        #expect(try machine.receivedStart(9 * mebi, at: .at(0)) == [.receive(from: 9 * mebi)])
        #expect(machine.wrote(to: 12 * mebi, at: .at(1)) == [])
        #expect(machine.wrote(to: 13 * mebi, at: .at(1)) == [.sendVerified(13 * mebi)])
        #expect(machine.wrote(to: 14 * mebi, at: .at(1)) == [])
        #expect(machine.progress.done == 14 * mebi)
        #expect(throws: ProtocolViolation.self) { _ = try machine.receivedEnd(total: mebi, at: .at(1)) }
    }

    @Test("A receiver that claims too much or counts backwards breaks the protocol")
    func impossibleProgress() throws {
        var machine = try TransferSending.sample(upTo: .awaitingHeld)
        #expect(throws: ProtocolViolation.self) { _ = try machine.receivedHeld(101, at: .at(3)) }
        machine = try TransferSending.sample(upTo: .sending)
        _ = try machine.receivedVerified(50, at: .at(4))
        #expect(throws: ProtocolViolation.self) { _ = try machine.receivedVerified(49, at: .at(5)) }
        #expect(throws: ProtocolViolation.self) { _ = try machine.receivedVerified(101, at: .at(5)) }
        #expect(machine.progress.done == 50)
    }

    @Test("Channels that break again and again without a byte between end the transfer")
    func fruitlessChannels() throws {
        var machine = try TransferSending.sample(upTo: .opening)
        for _ in 0..<4 { #expect(machine.channelLost(at: .at(2)) == [.openChannel]) }
        var forgiven = machine
        #expect(machine.channelLost(at: .at(2)) == [.sendCancel(.lost), .end(.gone(.lost))])
        _ = forgiven.channelOpened(at: .at(2))
        _ = try forgiven.receivedHeld(0, at: .at(2))
        _ = try forgiven.receivedVerified(1, at: .at(2))
        #expect(forgiven.channelLost(at: .at(2)) == [.openChannel])
    }

    @Test("A no without a link ends the transfer here, and is sent once the link is back")
    func lateRefusal() {
        var machine = TransferReceiving(total: 1, at: .at(0))
        _ = machine.linkLost(at: .at(1))
        #expect(machine.refuse() == [.end(.cancelledHere(.declined))])
        #expect(machine.linkCameBack(at: .at(2)) == [.sendCancel(.withdrawn)])
    }
}

@Suite("Progress", .timeLimit(.minutes(5)))
struct TransferProgressTests {
    @Test("The rate is that of the last seconds, and sinks while no bytes move")
    func rate() {
        var progress = TransferProgress(total: 1_000_000, at: .at(0))
        #expect(progress.rate(at: .at(0)) == nil)
        for tick in 1...100 { progress.moved(to: UInt64(tick * 100), at: .at(Double(tick) * 0.1)) }
        #expect(abs((progress.rate(at: .at(10)) ?? 0) - 1000) < 30)
        for tick in 1...60 { progress.moved(to: UInt64(10_000 + tick * 1000), at: .at(10 + Double(tick) * 0.1)) }
        #expect(abs((progress.rate(at: .at(16)) ?? 0) - 10_000) < 300)
        #expect(abs(((progress.timeLeft(at: .at(16)) ?? .zero) / .seconds(1)) - 93) < 4)
        #expect((progress.rate(at: .at(30)) ?? 1e9) < 4000)
    }

    @Test("Bytes from before don't count for the rate, and an empty transfer is complete")
    func edges() {
        var progress = TransferProgress(total: 1000, at: .at(0))
        progress.resume(from: 900, at: .at(1))
        progress.moved(to: 910, at: .at(2))
        #expect(progress.rate(at: .at(2)) == 10)
        #expect(progress.timeLeft(at: .at(2)) == .seconds(9))
        progress.moved(to: 5000, at: .at(3))
        #expect(progress.fraction == 1)
        #expect(progress.timeLeft(at: .at(3)) == .zero)
        #expect(TransferProgress(total: 0, at: .at(0)).fraction == 1)
    }

    @Test("Hours of small steps take as much memory as seconds", .timeLimit(.minutes(5)))
    func bounds() {
        var progress = TransferProgress(total: .max, at: .at(0))
        for tick in 0..<100_000 { progress.moved(to: UInt64(tick), at: .at(Double(tick) * 0.01)) }
        let samples = Mirror(reflecting: progress).children.first { $0.label == "samples" }?.value
        #expect(Mirror(reflecting: samples ?? []).children.count <= 20)
    }
}
