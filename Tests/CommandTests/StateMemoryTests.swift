import FoundationEssentials
import SecureArchive
import Testing
import Workbench

/// The program itself on large files, and on small files that expand. A file that needs too much memory ends it by a
/// signal.
@Suite("huddle state check on large files", .serialized, .timeLimit(.minutes(10)))
struct StateMemoryTests {
    struct Load: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let ending: ProgramRun.Ending
        let bytes: @Sendable () throws -> [UInt8]

        init(_ words: String, _ ending: ProgramRun.Ending, _ bytes: @escaping @Sendable () throws -> [UInt8]) {
            (testDescription, self.ending, self.bytes) = (words, ending, bytes)
        }
    }

    private static let mebibyte = 1 << 20
    /// The memory limit beyond the size of the file, in KiB: 64 MiB less the pages of the program and its libraries.
    private static let memory = 48 << 10
    private static let (sound, damaged) = (ProgramRun.Ending.exit(0), ProgramRun.Ending.exit(17))
    private static let tooLarge = ProgramRun.Ending.exit(19)

    private static let loads = [
        Load("data of 36 MiB", sound) { try BinaryPropertyList.write(data(36)) },
        Load("data of 60 MiB", tooLarge) { try BinaryPropertyList.write(data(60)) },
        Load("data of 30 and of 29 MiB", tooLarge) { try BinaryPropertyList.write(.array([data(30), data(29)])) },
        Load("a text of 40 MiB in a keyed archive, as bytes", tooLarge) {
            try BinaryPropertyList.write(keyed(.dictionary(["NS.bytes": data(40), "$class": .reference(2)])))
        },
        Load("a text of 14 MiB in UTF-16, of which all but one character are ASCII", sound) {
            try BinaryPropertyList.write(.string("é" + text(14)))
        },
        Load("three times 14 MiB of text in JSON", tooLarge) {
            Array(#"["\#(text(14))","\#(text(14))","\#(text(14))"]"#.utf8)
        },
        Load("four times 10 MiB of data in a list in XML", tooLarge) {
            let data = "<data>\(String(repeating: "QUJD", count: 10 * mebibyte / 3))</data>"
            return Array("<plist version=\"1.0\"><array>\(data)\(data)\(data)\(data)</array></plist>".utf8)
        },
        Load("three times 14 MiB of text in sections of character data", tooLarge) {
            let section = "<b><![CDATA[\(text(14))]]></b>"
            return Array("<a>\(section)\(section)\(section)</a>".utf8)
        },
        Load("a database of 30 MiB without any valid page", damaged) { database(30) },
        Load("a database of 60 MiB", tooLarge) { database(60) },
        Load("130,000 small objects", tooLarge) {
            let objects = (0..<130_000).map { number in
                let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number >> $0) }
                return ArchiveValue.dictionary(["NS.uuidbytes": .data(bytes), "$class": .reference(2)])
            }
            let all = (0..<130_000).map { ArchiveValue.reference(UInt32($0 + 4)) }
            let list: ArchiveValue = .dictionary(["NS.objects": .array(all), "$class": .reference(3)])
            return try BinaryPropertyList.write(
                keyed(list, class: "NSUUID", others: [definition("NSArray")] + objects)
            )
        },
    ]

    @Test("The check ends by itself, with the file sound or refused", arguments: loads)
    func memory(load: Load) throws {
        let folder = try TemporaryFolder()
        let run = try run("state check \"$1\"", on: load, at: "\(folder.path)/save")
        #expect(run.ending == load.ending, "\(run.output.prefix(500))\(run.complaint.prefix(500))")
    }

    /// Runs a command of `huddle` on a load at a path within the memory limit.
    private func run(_ command: String, on load: Load, at path: String) throws -> ProgramRun {
        let bytes = try load.bytes()
        try Data(bytes).write(to: URL(filePath: path))
        let limit = Self.memory + bytes.count >> 10
        return try ProgramRun(
            ["sh", "-c", "ulimit -d \(limit); exec \"$0\" \(command)", program, path],
            deadline: .seconds(240)
        )
    }

    private static let shown = [
        Load("2 KiB that stand for a hundred times ten thousand texts", sound) {
            func list(of number: UInt32, times: Int) -> ArchiveValue {
                let all = [ArchiveValue](repeating: .reference(number), count: times)
                return .dictionary(["NS.objects": .array(all), "$class": .reference(2)])
            }
            let others = [list(of: 4, times: 100), .string(String(repeating: "x", count: 1_000))]
            return try BinaryPropertyList.write(keyed(list(of: 3, times: 1_000), class: "NSArray", others: others))
        },
        Load("data of 30 MiB", sound) { try BinaryPropertyList.write(data(30)) },
        Load("a text of 14 MiB in UTF-16", sound) { try BinaryPropertyList.write(.string("é" + text(14))) },
    ]

    @Test("A file is shown as a line of JSON within the same memory", arguments: shown)
    func line(load: Load) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/save"
        let run = try run("state show --json \"$1\" >\"$1.json\"", on: load, at: path)
        #expect(run.ending == load.ending, "\(run.complaint.prefix(500))")
        let line = try Data(contentsOf: URL(filePath: "\(path).json"))
        #expect(line.count > 10 * Self.mebibyte && line.suffix(2) == Data("}\n".utf8))
    }

    @Test("The pieces of a long line of JSON make one whole object")
    func pieces() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/save"
        let long = String(repeating: "“a\\b”\u{202E}\n👩‍👧 ", count: 20_000)
        let data = (0..<100_001).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let tree: ArchiveValue = .dictionary([
            "text": .string(long), "data": .data(data), "$odd": .array([.bool(true), .array([]), .dictionary([:])]),
        ])
        try Data(BinaryPropertyList.write(tree)).write(to: URL(filePath: path))
        let run = try ProgramRun(["sh", "-c", "\"$0\" state show --json \"$1\" >\"$1.json\"", program, path])
        #expect(run.ending == Self.sound, "\(run.complaint.prefix(500))")
        let line = try Data(contentsOf: URL(filePath: "\(path).json"))
        let expected: ArchiveValue = .dictionary([
            "$fields": .dictionary([
                "text": .string(long), "data": .dictionary(["$data": .string(Data(data).base64EncodedString())]),
                "$odd": .array([.bool(true), .array([]), .dictionary([:])]),
            ])
        ])
        let shown = try JSON.read(Array(line))
        #expect(shown == .dictionary(["format": .string("binary-plist"), "value": expected]))
    }

    private var program: String { "\(Programs.builtFolder)/huddle" }

    private static func data(_ mebibytes: Int) -> ArchiveValue {
        .data([UInt8](repeating: 0x61, count: mebibytes * mebibyte))
    }

    private static func database(_ mebibytes: Int) -> [UInt8] {
        Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: mebibytes * mebibyte)
    }

    private static func text(_ mebibytes: Int) -> String {
        String(repeating: "a", count: mebibytes * mebibyte)
    }

    private static func definition(_ name: String) -> ArchiveValue {
        .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
    }

    /// An archive whose root is object 1 and whose object 2 defines a class.
    private static func keyed(
        _ root: ArchiveValue,
        class name: String = "NSMutableString",
        others: [ArchiveValue] = []
    ) -> ArchiveValue {
        .dictionary([
            "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
            "$top": .dictionary(["root": .reference(1)]),
            "$objects": .array([.string("$null"), root, definition(name)] + others),
        ])
    }
}
