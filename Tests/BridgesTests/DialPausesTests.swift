import Testing

@testable import Bridges

@Suite("Pauses between attempts to connect to a device")
struct DialPausesTests {
    @Test("A device that was away is dialled within a third of that time and a second, at most after a minute")
    func afterAbsence() {
        var (pauses, absence) = (DialPauses(), Duration.zero)
        for _ in 0..<100 {
            let pause = pauses.next()
            #expect(pause <= absence / 3 + .seconds(1) && pause <= .seconds(60))
            absence += pause
        }
        #expect(pauses.next() == .seconds(60))
    }

    @Test("After a good connection the pauses begin again, after a short one they grow")
    func afterConnection() {
        var pauses = DialPauses()
        for _ in 0..<10 { _ = pauses.next() }
        let long = pauses.next()
        pauses.connectionEnded(after: .seconds(9))
        #expect(pauses.next() > long)
        pauses.connectionEnded(after: .seconds(10))
        #expect(pauses.next() == .seconds(1))
    }
}
