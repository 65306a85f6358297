import SyncthingBridge
import TestSupport
import Testing

@Suite("Versions of files", .timeLimit(.minutes(5)))
struct DeviceVectorTests {
    @Test("A changed version is newer than the one before, even if the clock goes back")
    func changed() {
        let first = DeviceVector.empty.changed(by: 7, at: 1_000)
        #expect(first == DeviceVector(counting: [7: 1_000]))
        let second = first.changed(by: 7, at: 10)
        #expect(second[7] == 1_001)
        #expect(second.order(to: first) == .newer)
        #expect(first.order(to: second) == .older)
    }

    @Test("Merging and changing random versions agrees with their order")
    func random() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            func vector() -> DeviceVector {
                DeviceVector(
                    counting: Dictionary(
                        uniqueKeysWithValues: (1...3).map { ($0, UInt64.random(in: 0..<3, using: &generator)) }
                    )
                )
            }
            let (left, right) = (vector(), vector())
            let both = left.merged(with: right)
            #expect([.equal, .newer].contains(both.order(to: left)))
            #expect([.equal, .newer].contains(both.order(to: right)))
            #expect(both.changed(by: 9, at: 1).order(to: right) == .newer)
            #expect((left.order(to: right) == .equal) == (left == right))
            #expect((left.order(to: right) == .newer) == (right.order(to: left) == .older))
            #expect((left.order(to: right) == .concurrent) == (right.order(to: left) == .concurrent))
        }
    }
}
