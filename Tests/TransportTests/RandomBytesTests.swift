import Testing
import Transport

@Suite("Random bytes", .timeLimit(.minutes(5)))
struct RandomBytesTests {
    @Test("there are as many as asked for, and others each time")
    func random() {
        #expect(RandomBytes.make(0).isEmpty)
        #expect(RandomBytes.make(32).count == 32)
        #expect(RandomBytes.make(32) != RandomBytes.make(32))
    }
}
