import Foundation
import SecureArchive
import SecureCoding
import Testing

/// Honest data only: these decoders crash on other data, which is why this module exists.
@Suite("Exchange with Foundation's own coders")
struct FoundationTests {
    private let objects: [NSObject] = [
        SimpleCharacter(color: "城"), Self.chest,
        OldCharacter(color: "red", abilities: [1, -2, 3, 4, 5, 6], levels: [7, 8, 9]),
    ]
    private let types: [AnyClass] = [SimpleCharacter.self, Chest.self, OldCharacter.self, NSString.self]

    /// A chest without equal numbers of different kinds: Foundation's archiver takes them for one object.
    private static var chest: Chest {
        let chest = Chest()
        chest.notes = ["a", true, 2, 2.5, Data([3]), NSDate(timeIntervalSinceReferenceDate: 5.5), NSNull()]
        return chest
    }

    /// An object's content in our own spelling, for comparing.
    private func bytes(_ object: Any?) throws -> Data {
        try SecureArchiver.archivedData(withRootObject: #require(object), requiringSecureCoding: true)
    }

    @Test("NSKeyedUnarchiver reads the archives of SecureArchiver", arguments: [ArchiveFormat.Spelling.binary, .xml])
    func oursToTheirs(spelling: ArchiveFormat.Spelling) throws {
        for object in objects {
            let archiver = SecureArchiver()
            archiver.outputFormat = spelling
            archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.archivedData())
            unarchiver.requiresSecureCoding = true
            unarchiver.decodingFailurePolicy = .setErrorAndReturn
            unarchiver.setClass(SimpleCharacter.self, forClassName: "SimpleCharacter")
            unarchiver.setClass(Chest.self, forClassName: "Chest")
            unarchiver.setClass(OldCharacter.self, forClassName: "OldCharacter")
            let back = unarchiver.decodeObject(of: types, forKey: NSKeyedArchiveRootObjectKey)
            #expect(try bytes(back) == bytes(object), "\(type(of: object))")
        }
    }

    @Test("SecureUnarchiver reads the archives of NSKeyedArchiver", arguments: [false, true])
    func theirsToOurs(asXML: Bool) throws {
        for object in objects {
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            archiver.outputFormat = asXML ? .xml : .binary
            archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
            let back = try SecureUnarchiver.unarchivedObject(ofClasses: types, from: archiver.encodedData)
            #expect(try bytes(back) == bytes(object), "\(type(of: object))")
        }
    }

    @Test(
        "property lists of Codable types pass both ways",
        arguments: [ArchiveFormat.binaryPropertyList, .xmlPropertyList]
    )
    func propertyLists(format: ArchiveFormat) throws {
        let value = Exchange()
        let ours = try ArchiveEncoder().encode(value, as: format)
        #expect(try PropertyListDecoder().decode(Exchange.self, from: ours) == value)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .binaryPropertyList ? .binary : .xml
        var strict = ArchiveDecoder()
        strict.unknownKeys = .refuse
        #expect(try strict.decode(Exchange.self, from: encoder.encode(value)) == value)
    }

    @Test("JSON of Codable types passes both ways")
    func json() throws {
        let value = Exchange()
        var encoder = ArchiveEncoder()
        encoder.dates = .secondsSince1970
        encoder.data = .base64
        let theirDecoder = JSONDecoder()
        theirDecoder.dateDecodingStrategy = .secondsSince1970
        #expect(try theirDecoder.decode(Exchange.self, from: encoder.encode(value, as: .json)) == value)
        let theirEncoder = JSONEncoder()
        theirEncoder.dateEncodingStrategy = .secondsSince1970
        var decoder = ArchiveDecoder()
        decoder.dates = .secondsSince1970
        decoder.data = .base64
        #expect(try decoder.decode(Exchange.self, from: theirEncoder.encode(value)) == value)
    }

    @Test("a value that JSON has no word for is refused with its place until a spelling is chosen")
    func jsonRefuses() throws {
        let error = #expect(throws: ArchiveError.self) { try ArchiveEncoder().encode(Exchange(), as: .json) }
        #expect(error?.kind == .inexpressible)
        #expect(error?.path == "when")
    }

    @Test("PropertyListSerialization and JSONSerialization read lists that are written here")
    func serializations() throws {
        let tree = try ArchiveEncoder().tree(of: ["a": [1, 2], "b": []])
        for format in [ArchiveFormat.binaryPropertyList, .xmlPropertyList] {
            let data = Data(try Archive.write(tree, as: format))
            let list = try PropertyListSerialization.propertyList(from: data, format: nil)
            #expect(list as? [String: [Int]] == ["a": [1, 2], "b": []])
        }
        let json = try JSONSerialization.jsonObject(with: Data(JSON.write(tree)))
        #expect(json as? [String: [Int]] == ["a": [1, 2], "b": []])
    }
}
