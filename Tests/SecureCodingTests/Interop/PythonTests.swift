import Foundation
import SecureArchive
import SecureCoding
import Testing
import Workbench

/// The Python that has bpylist2: one that `.ci/install-needs --ci` made for it, or else the first of the search path.
enum Python {
    static let program: String = {
        let own = "\(Repository.root)/.build/python/bin/python3"
        return FileManager.default.isExecutableFile(atPath: own) ? own : Programs.path(of: "python3") ?? "python3"
    }()

    static let bpylist2 = Requirement("bpylist2") {
        (try? ProgramRun([program, "-c", "import bpylist2"]))?.ending == .exit(0)
    }

    /// The output of a script that gets the paths of two files: one to read, one to write.
    static func run(_ script: String, reading: Data = Data()) throws -> (output: String, written: Data) {
        let folder = try TemporaryFolder()
        let (input, output) = ("\(folder.path)/in", "\(folder.path)/out")
        try reading.write(to: URL(filePath: input))
        let run = try ProgramRun([program, "-c", "import sys\nsource, target = sys.argv[1:]\n" + script, input, output])
        #expect(run.ending == .exit(0), "\(run.complaint)")
        let written = FileManager.default.contents(atPath: output) ?? Data()
        return (run.output.trimmingCharacters(in: .newlines), written)
    }
}

@Suite("Exchange with Python's readers", .needs(Python.bpylist2))
struct PythonTests {
    /// The Python code that registers a class with bpylist2.
    private let character = """
        from bpylist2 import archiver
        keys = 'charColor charClass strength dexterity constitution intelligence wisdom charisma'.split()
        class SimpleCharacter:
            def encode_archive(self, archive):
                for key in keys: archive.encode(key, getattr(self, key))
            def decode_archive(archive):
                character = SimpleCharacter()
                for key in keys: setattr(character, key, archive.decode(key))
                return character
        archiver.update_class_map({'SimpleCharacter': SimpleCharacter})

        """

    @Test("bpylist2 reads characters that are written here, and its own are read here")
    func characters() throws {
        let party = [SimpleCharacter(color: "red"), SimpleCharacter(color: "城", [Int.min, 2, 3, 4, 5, 6])]
        let ours = try SecureArchiver.archivedData(
            withRootObject: ["party": party, "n": [1, 2.5, true]] as NSDictionary,
            requiringSecureCoding: true
        )
        let script =
            character + """
                value = archiver.unarchive(open(source, 'rb').read())
                print(value['n'], [c.charColor for c in value['party']], value['party'][1].strength)
                open(target, 'wb').write(archiver.archive(value['party']))
                """
        let run = try Python.run(script, reading: ours)
        #expect(run.output == "[1, 2.5, True] ['red', '城'] -9223372036854775808")
        let back = try SecureUnarchiver.unarchivedArrayOfObjects(ofClass: SimpleCharacter.self, from: run.written)
        #expect(back == party)
    }

    @Test("a keyed archive that is written here is the same for plistlib, binary and XML")
    func keyedArchives() throws {
        for spelling in [ArchiveFormat.Spelling.binary, .xml] {
            let archiver = SecureArchiver()
            archiver.outputFormat = spelling
            archiver.encode(SimpleCharacter(color: "blue"), forKey: "root")
            let run = try Python.run(
                """
                import plistlib
                archive = plistlib.load(open(source, 'rb'))
                objects = archive['$objects']
                def number(uid): return uid.data if isinstance(uid, plistlib.UID) else uid['CF$UID']
                root = objects[number(archive['$top']['root'])]
                definition = objects[number(root['$class'])]
                print(archive['$version'], archive['$archiver'], definition, objects[number(root['charColor'])], root['wisdom'])
                """,
                reading: archiver.archivedData()
            )
            let definition = "{'$classname': 'SimpleCharacter', '$classes': ['SimpleCharacter', 'NSObject']}"
            #expect(run.output == "100000 NSKeyedArchiver \(definition) blue 70000")
        }
    }

    @Test(
        "property lists of Codable types pass both ways",
        arguments: [ArchiveFormat.binaryPropertyList, .xmlPropertyList]
    )
    func propertyLists(format: ArchiveFormat) throws {
        let value = Exchange()
        let run = try Python.run(
            """
            import plistlib
            value = plistlib.load(open(source, 'rb'))
            print(value['title'], value['level'], value['most'], value['speed'], value['isOver'], value['when'], value['picture'])
            kind = plistlib.\(format == .binaryPropertyList ? "FMT_BINARY" : "FMT_XML")
            plistlib.dump(value, open(target, 'wb'), fmt=kind, sort_keys=False)
            """,
            reading: ArchiveEncoder().encode(value, as: format)
        )
        let shown = "“Castle” – 城 -3 18446744073709551615 0.1 True 2023-03-08 20:26:40 b'\\x00\\xff\\x07'"
        #expect(run.output == shown)
        #expect(try ArchiveDecoder().decode(Exchange.self, from: run.written) == value)
        #expect(try run.written == ArchiveEncoder().encode(value, as: format))
    }

    @Test("Python reads JSON that is written here, and its own is read here")
    func json() throws {
        var encoder = ArchiveEncoder()
        encoder.dates = .iso8601
        encoder.data = .base64
        var decoder = ArchiveDecoder()
        decoder.dates = .iso8601
        decoder.data = .base64
        let value = Exchange()
        let script =
            "import json\nvalue = json.load(open(source))\njson.dump(value, open(target, 'w'))\nprint(value['when'])"
        let run = try Python.run(script, reading: encoder.encode(value, as: .json))
        #expect(run.output == "2023-03-08T20:26:40Z")
        #expect(try decoder.decode(Exchange.self, from: run.written) == value)
    }
}
