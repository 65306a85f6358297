import Testing
import Vocabulary

@Suite("Random ID", .timeLimit(.minutes(5)))
struct RandomIDTests {
    @Test("Sixteen bytes are stored and returned")
    func bytes() throws {
        let id = try #require(SessionID(bytes: Array(1...16)))
        #expect(id.bytes == Array(1...16))
        #expect(id.description == "0102030405060708090a0b0c0d0e0f10")
        #expect(SessionID(bytes: Array(1...15)) == nil)
        #expect(SessionID(bytes: Array(1...17)) == nil)
    }

    @Test("Two random IDs differ")
    func random() {
        #expect(Set((0..<1000).map { _ in ChannelID.random() }).count == 1000)
    }
}
