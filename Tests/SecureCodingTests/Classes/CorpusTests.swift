import Foundation
import SecureArchive
import SecureCoding
import TestSupport
import Testing
import Workbench

/// The archives of SecureArchive's own tests, each with its required result.
struct CorpusFile: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: String

    var testDescription: String { name }

    private static let folder = URL(filePath: "\(Repository.root)/Tests/SecureArchiveTests/Corpus")

    var data: Data {
        get throws { try Data(contentsOf: Self.folder.appending(path: name)) }
    }

    /// The keyed archives of the manifest, and all files that kill Foundation's decoders.
    static let keyed: [CorpusFile] = manifest.filter { $0.kind == "keyed" }.map(\.file) + killers

    private static let manifest: [(kind: String, file: CorpusFile)] = {
        let text = (try? String(contentsOf: folder.appending(path: "manifest.tsv"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: "\t").map(String.init)
            guard columns.count >= 3 else { return nil }
            return (columns[1], CorpusFile(name: columns[0], expected: columns[2]))
        }
    }()

    private static let killers: [CorpusFile] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "killers").path)) ?? []
        let known = Set(manifest.filter { $0.kind == "keyed" }.map(\.file.name))
        return names.sorted().map { CorpusFile(name: "killers/\($0)", expected: "any") }
            .filter { !known.contains($0.name) }
    }()
}

@Suite("Archives of the corpus through a coder")
struct CorpusTests {
    /// The classes behind the manifest's results.
    static let allowed: [AnyClass] = [
        NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSData.self, NSDate.self, NSSet.self,
        NSNull.self,
        SimpleCharacter.self,
    ]

    static func open(_ data: Data) throws -> Any? {
        var table = ClassTable()
        table.addName("decode.SimpleCharacter", for: SimpleCharacter.self)
        return try SecureUnarchiver.unarchivedObject(ofClasses: allowed, from: data, classes: table)
    }

    @Test("the corpus exists")
    func isThere() {
        #expect(CorpusFile.keyed.count { $0.expected == "ok" } >= 10)
        #expect(CorpusFile.keyed.count { $0.expected == "error" } >= 60)
        #expect(CorpusFile.keyed.count { $0.name.hasPrefix("killers/") } >= 40)
    }

    @Test("a file gives the manifest's result within a second", arguments: CorpusFile.keyed)
    func gives(file: CorpusFile) throws {
        let data = try file.data
        var outcome = ""
        let time = processorTime {
            do {
                outcome = try Self.open(data) == nil ? "nil" : "ok"
            } catch {
                outcome = "error"
            }
        }
        #expect(["any", "macos"].contains(file.expected) || outcome == file.expected)
        #expect(time < .seconds(1))
    }

    @Test("an object that is decoded encodes and decodes to the same")
    func comesBack() throws {
        for file in CorpusFile.keyed where file.expected == "ok" {
            let object = try #require(try Self.open(file.data) as? NSObject)
            let again = try SecureArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            #expect(try Self.open(again) as? NSObject == object, "\(file.name)")
        }
    }

    @Test("a decoder decodes or refuses mutated bytes", arguments: 0..<8)
    func mutants(part: Int) throws {
        let seeds = try [
            SecureArchiver.archivedData(withRootObject: Chest(), requiringSecureCoding: true),
            SecureArchiver.archivedData(
                withRootObject: OldCharacter(color: "red", abilities: [1, 2, 3, 4, 5, 6], levels: [1, 2, 3]),
                requiringSecureCoding: true
            ),
            SecureArchiver.archivedData(withRootObject: RoundTripTests.samples, requiringSecureCoding: true),
        ]
        let types: [AnyClass] =
            Self.allowed + [Chest.self, OldCharacter.self, NSUUID.self, NSURL.self, NSOrderedSet.self, NSNull.self]
        var dice = SeededGenerator(seed: UInt64(part) + 1)
        var refused = 0
        for seed in seeds {
            for _ in 0..<500 {
                var bytes = [UInt8](seed)
                for _ in 0...dice.below(3) { bytes[dice.below(bytes.count)] = UInt8(dice.below(256)) }
                let object = try? SecureUnarchiver.unarchivedObject(ofClasses: types, from: Data(bytes))
                if object == nil { refused += 1 }
                _ = (object as? NSObject)?.hash
            }
        }
        #expect(refused > 100)
    }
}
