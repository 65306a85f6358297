import SaveRules
import SaveSync
import Testing
import Vocabulary
import Workbench

@Suite("The page of the history's format, of signatures", .timeLimit(.minutes(1)))
struct SealPageTests {
    /// Code other than the code under test signed the example.
    @Test("the signature on the page of the history's format is valid for the key that made it")
    func page() throws {
        let example = try Repository.examples(on: "docs/internals/history-format.md")[1]
        var check = SealCheck.ed25519
        let snapshot = try Snapshot(decoding: example, checkedBy: &check)
        #expect(snapshot.id.description == "f4d063810f9b5429a7c531cdfacd099dba624be1e5ac113f4b008b1b746c73f9")
        #expect(snapshot.author.bytes.starts(with: [0x06, 0xE3, 0xFD, 0x8F, 0xDA, 0x29, 0xBB, 0x60]))
        for place in example.indices {
            var changed = example
            changed[place] ^= 0x10
            #expect(throws: SaveRefusal.self) { try Snapshot(decoding: changed, checkedBy: &check) }
        }
    }
}
