import Testing
import Transport

@Suite("Cutting again reads at most about twice the file, for any number and place of changes", .timeLimit(.minutes(5)))
struct RandomBytesTests {
    @Test("Each call makes as many bytes as requested, and different ones")
    func random() {
        #expect(RandomBytes.make(0).isEmpty)
        #expect(RandomBytes.make(32).count == 32)
        #expect(RandomBytes.make(32) != RandomBytes.make(32))
    }
}
