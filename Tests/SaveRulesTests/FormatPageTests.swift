import SaveRules
import Testing
import Vocabulary
import Workbench

@Suite("The page of the history's format", .timeLimit(.minutes(5)))
struct FormatPageTests {
    /// Code other than the code under test wrote the examples.
    @Test("the bytes on the page are read as it says, and written as they are")
    func examples() throws {
        let examples = try Repository.examples(on: "docs/internals/history-format.md")
        // The other examples are files of a history.
        try #require(examples.count == 5)
        let manifest = try Manifest(decoding: examples[0])
        #expect(manifest.encoded == examples[0])
        #expect(manifest.entries.map(\.path.text) == ["Saves", "Saves/0.celeste", "Saves/newest"])
        let file = try #require(manifest.entries[1].file)
        #expect(file.size == 5 && file.mode == .readableFile)
        #expect(file.modified == FileTime(seconds: 1_700_000_000, nanoseconds: 500_000_000))
        #expect(file.pieces[0].id.description == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
        let snapshot = try Snapshot(kept: examples[1], hashedBy: Sample.hash)
        #expect(snapshot.encoded == examples[1] && snapshot.origin == .captured && snapshot.parents.isEmpty)
        #expect(snapshot.author.bytes.starts(with: [0xD7, 0x5A, 0x98, 0x01]) && snapshot.time == 1_700_000_000_500)
        #expect(snapshot.set.bytes == Array(0..<16) && snapshot.note == nil)
        #expect(snapshot.manifest.totalLength == UInt64(examples[0].count))
    }

    @Test("the page has the sizes of pieces that the code has")
    func sizes() throws {
        let page = try Repository.text(of: "docs/internals/history-format.md")
        func row(_ sizes: PieceSizes) -> String {
            let cells = [sizes.wholeUpTo, sizes.minimum, sizes.average, sizes.maximum].map { count in
                count >= 1 << 20 ? "\(count >> 20) MiB" : "\(count >> 10) KiB"
            }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        for shift in 0..<5 {
            let row = row(PieceSizes(forFileOf: 1 << (30 + UInt64(shift))))
            #expect(page.contains(row), "\(row)")
        }
        #expect(page.contains("| a manifest " + row(.manifest)))
        #expect(PieceSizes(forFileOf: 1 << 30) == PieceSizes(forFileOf: 1))
        #expect(PieceSizes(forFileOf: 1 << 30 + 1) == PieceSizes(forFileOf: 1 << 31))
    }
}
