import Testing
import Vocabulary

@testable import Discovery

@Suite("TXT records")
struct TXTRecordTests {
    private func bytes(_ entries: [UInt8]...) -> [UInt8] {
        entries.flatMap { [UInt8($0.count)] + $0 }
    }

    private func entry(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("An empty record is one empty entry, and reads as no entries")
    func empty() {
        #expect(TXTRecord().wireBytes == [0])
        for bytes in [[], [0], [0, 0, 0]] as [[UInt8]] {
            let (record, defects) = TXTRecord.read(bytes)
            #expect(record.entries.isEmpty)
            #expect(defects.isEmpty)
        }
    }

    @Test("A key alone, an empty value and a value stay distinct")
    func valueKinds() throws {
        let (record, defects) = TXTRecord.read(bytes(entry("alone"), entry("empty="), entry("full=x=y")))
        #expect(defects.isEmpty)
        #expect(record[try TXTKey("alone")] == TXTRecord.Value.none)
        #expect(record[try TXTKey("empty")] == .bytes([]))
        #expect(record.text(try TXTKey("full")) == "x=y")
        #expect(record[try TXTKey("missing")] == nil)
        #expect(record.wireBytes == bytes(entry("alone"), entry("empty="), entry("full=x=y")))
    }

    @Test("Binary values are read back unchanged and are no text")
    func binaryValue() throws {
        let value: [UInt8] = [0, 0x1B, 0x5B, 0xFF, 0x3D, 0x00]
        let (record, defects) = TXTRecord.read(bytes(entry("bin=") + value))
        #expect(defects.isEmpty)
        #expect(record[try TXTKey("bin")] == .bytes(value))
        #expect(record.text(try TXTKey("bin")) == nil)
    }

    @Test(
        "A defect is skipped and named; the rest counts",
        arguments: [
            ([3] + Array("=ab".utf8) + [3] + Array("k=v".utf8), TXTDefect.badKey),
            ([4, 0x6B, 0x1B, 0x3D, 0x76, 3] + Array("k=v".utf8), .badKey),
            ([5, 0xC3, 0xA9, 0x3D, 0x76, 0x76, 3] + Array("k=v".utf8), .badKey),
            ([3] + Array("k=v".utf8) + [3] + Array("K=w".utf8), .repeatedKey),
            ([3] + Array("k=v".utf8) + [200] + Array("cut".utf8), .cutShort),
            ([3] + Array("k=v".utf8) + [255], .cutShort),
        ] as [([UInt8], TXTDefect)]
    )
    func defects(bytes: [UInt8], expected: TXTDefect) throws {
        let (record, defects) = TXTRecord.read(bytes)
        #expect(defects == [expected])
        #expect(record.text(try TXTKey("k")) == "v")
    }

    @Test("Thousands of entries are cut off")
    func flood() {
        let many = (0..<5000).flatMap { number in bytes(entry("k\(number)=")) }
        let (record, defects) = TXTRecord.read(many)
        #expect(record.entries.count == 256)
        #expect(defects == [.tooManyEntries])
    }

    @Test("Any bytes can be read, and a record that was read is written and read again unchanged")
    func arbitraryBytes() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<2000 {
            let length = Int.random(in: 0...80, using: &generator)
            let bytes = (0..<length).map { _ in
                UInt8.random(in: 0...(Bool.random(using: &generator) ? 255 : 8), using: &generator)
            }
            let (record, _) = TXTRecord.read(bytes)
            let (again, defects) = TXTRecord.read(record.wireBytes)
            #expect(again == record)
            #expect(defects.isEmpty)
        }
    }

    @Test("An entry of 255 bytes with its key fits, one of 256 does not")
    func entryLimit() throws {
        var record = TXTRecord()
        try record.set(TXTKey("k"), to: String(repeating: "v", count: 253))
        #expect(record.wireBytes.first == 255)
        let before = record
        let failure = #expect(throws: InvalidTXT.self) {
            try record.set(TXTKey("k"), to: String(repeating: "v", count: 254))
        }
        #expect(failure?.code == "txt.entry-too-long")
        #expect(record == before)
    }

    @Test("A key of 255 bytes is allowed, one of 256 is refused when it is set")
    func keyLimit() throws {
        var record = TXTRecord()
        try record.set(TXTKey(String(repeating: "k", count: 255)), to: .none)
        #expect(throws: InvalidTXT.self) {
            try record.set(TXTKey(String(repeating: "q", count: 256)), to: .none)
        }
    }

    @Test("A record beyond 1300 bytes is refused and stays unchanged")
    func recordLimit() throws {
        var record = TXTRecord()
        for number in 0..<5 { try record.set(TXTKey("key\(number)"), to: String(repeating: "v", count: 250)) }
        let before = record
        let failure = #expect(throws: InvalidTXT.self) {
            try record.set(TXTKey("last"), to: String(repeating: "v", count: 100))
        }
        #expect(failure?.code == "txt.record-too-long")
        #expect(record == before)
    }

    @Test("Keys are compared without case, and setting one keeps its position")
    func caseOfKeys() throws {
        var record = TXTRecord()
        try record.set(TXTKey("Name"), to: "a")
        try record.set(TXTKey("other"), to: "b")
        try record.set(TXTKey("NAME"), to: "c")
        #expect(record.entries.map(\.key.text) == ["NAME", "other"])
        #expect(record.text(try TXTKey("name")) == "c")
        record.remove(try TXTKey("nAmE"))
        #expect(record.entries.count == 1)
    }

    @Test("Keys that RFC 6763 forbids are refused", arguments: ["", "a=b", "tab\t", "é", "esc\u{1B}", "nul\0"])
    func forbiddenKeys(text: String) {
        let failure = #expect(throws: InvalidTXT.self) { try TXTKey(text) }
        #expect(failure?.description.contains("\u{1B}") == false)
        #expect(failure?.nextStep.isEmpty == false)
    }

    @Test("A run token marks a record and is read back; other forms are not accepted")
    func runToken() throws {
        let token = RunToken.random()
        let marked = try token.mark(TXTRecord())
        #expect(RunToken(in: marked) == token)
        #expect(RunToken.random() != token)
        for text in ["", "xyz", "0123456789abcdeg", "0123456789abcdef0"] {
            var record = TXTRecord()
            try record.set(TXTKey("run"), to: text)
            #expect(RunToken(in: record) == nil)
        }
    }
}
