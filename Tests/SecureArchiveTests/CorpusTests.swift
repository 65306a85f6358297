import ArchiveProperties
import SecureArchive
import TestSupport
import Testing
import Workbench

@Suite("The corpus of archives", .timeLimit(.minutes(10)))
struct CorpusTests {
    @Test("every file is in the manifest, and every line of the manifest is a file")
    func isWhole() {
        let listed = Set(Corpus.files(["keyed", "plist", "json", "xml"]).map { "\(Corpus.folder)/\($0.path)" })
        let present = Set(Repository.files(below: Corpus.folder)).subtracting(["\(Corpus.folder)/manifest.tsv"])
        #expect(listed == present)
        #expect(listed.count > 250)
    }

    @Test("a binary property list gives its manifest's result", arguments: Corpus.files(["plist"]).filter(\.isBinary))
    func binary(file: Corpus.File) throws {
        let bytes = try file.bytes()
        expect(file) { () throws(ArchiveError) in try BinaryPropertyList.read(bytes) }
        #expect(BinaryProperties.violation(for: bytes) == nil)
    }

    @Test("a keyed archive gives its manifest's result", arguments: Corpus.files(["keyed"]).filter(\.isBinary))
    func keyed(file: Corpus.File) throws {
        let bytes = try file.bytes()
        expect(file) { () throws(ArchiveError) in try KeyedArchive.read(bytes, schema: KeyedProperties.schema) }
        #expect(KeyedProperties.violation(for: bytes) == nil)
    }

    @Test(
        "each file is refused or read within a second of the processor's time",
        arguments: Corpus.files(["keyed", "plist"]).filter(\.isBinary)
    )
    func isQuick(file: Corpus.File) throws {
        let bytes = try file.bytes()
        let list = processorTime(of: { _ = try? BinaryPropertyList.read(bytes) })
        let archive = processorTime(of: { _ = try? KeyedArchive.read(bytes, schema: KeyedProperties.schema) })
        #expect(max(list, archive) < .seconds(1 * OwnProcess.allowance))
    }

    @Test(
        "a list of plistlib's is written byte for byte as it was",
        arguments: Corpus.files(["keyed", "plist"]).filter { $0.path.hasPrefix("valid/swift_") && $0.isBinary }
    )
    func writesAsPlistlib(file: Corpus.File) throws {
        let bytes = try file.bytes()
        #expect(try BinaryPropertyList.write(BinaryPropertyList.read(bytes)) == bytes)
    }

    private func expect(_ file: Corpus.File, read: () throws(ArchiveError) -> ArchiveValue) {
        do throws(ArchiveError) {
            _ = try read()
            #expect(file.expected != .error, "it was read")
        } catch {
            #expect(file.expected != .ok, "it was refused: \(error)")
            #expect(error.message.utf8.count < 2_000)
        }
    }
}
