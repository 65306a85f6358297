import Digests
import Foundation
import History
import LinuxPlatform
import SaveRules
import Testing
import Vocabulary
import Workbench

@Suite("The page of the history's format: files on the disk", .timeLimit(.minutes(1)))
struct HistoryPageTests {
    /// Code other than the code under test wrote the examples.
    @Test("The page shows a history that is read as it says, and whose index is written byte for byte")
    func example() throws {
        let examples = try Repository.examples(on: "docs/internals/history-format.md")
        try #require(examples.count == 5)
        let (manifest, index) = (try Manifest(decoding: examples[0]), examples[4])
        let folder = try TemporaryFolder()
        let path = folder.path
        for (name, bytes) in [("seal", examples[2]), ("pack-0000000001", examples[3])] {
            try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
        }
        let snapshot = try Snapshot(kept: examples[1], hashedBy: Digest.sha256)
        do {
            let history = try History.open(at: path)
            #expect(try history.check().isSound)
            #expect(try history.contents(of: snapshot.id)?["Saves/0.celeste"] == Array("hello".utf8))
            #expect(try history.manifest(of: snapshot) == manifest)
            _ = try history.usage()
        }
        #expect(try Array(Data(contentsOf: URL(filePath: "\(path)/index"))) == index)
        #expect(try Array(Data(contentsOf: URL(filePath: "\(path)/pack-0000000001"))) == examples[3])
    }
}
