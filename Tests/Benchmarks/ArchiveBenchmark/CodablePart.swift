import Foundation
import SecureArchive
import SecureCoding

/// Property lists of `Codable` types.
struct CodablePart {
    let load: Load
    let rounds: Int

    init(_ load: Load, rounds: Int) {
        self.load = load
        self.rounds = rounds
    }

    func run() throws {
        print("\nCodable: \(load.rawValue)")
        switch load {
        case .strings: try run(load.texts)
        case .characters: try run(load.stats)
        }
    }

    private func run<Value: Codable>(_ value: Value) throws {
        let plist = PropertyListEncoder()
        plist.outputFormat = .binary
        let list = try plist.encode(value)
        let json = try JSONEncoder().encode(value)
        var decoding = Contest("check and decode", rounds: rounds)
        decoding.add("ArchiveDecoder, binary list", bytes: list.count) {
            _ = try ArchiveDecoder().decode(Value.self, from: BinaryPropertyList.read([UInt8](list)))
        }
        decoding.add("ArchiveDecoder, JSON", bytes: json.count) {
            _ = try ArchiveDecoder().decode(Value.self, from: JSON.read([UInt8](json)))
        }
        decoding.add("PropertyListDecoder", bytes: list.count) {
            _ = try PropertyListDecoder().decode(Value.self, from: list)
        }
        decoding.add("JSONDecoder", bytes: json.count) { _ = try JSONDecoder().decode(Value.self, from: json) }
        decoding.add("plistlib", bytes: list.count, elsewhere: { try Python.seconds("read", list) })
        try decoding.run()
        var encoding = Contest("encode", rounds: rounds)
        encoding.add("ArchiveEncoder, binary list", bytes: list.count) {
            _ = try BinaryPropertyList.write(ArchiveEncoder().tree(of: value))
        }
        encoding.add("ArchiveEncoder, JSON", bytes: json.count) {
            _ = try JSON.write(ArchiveEncoder().tree(of: value), as: .compact)
        }
        encoding.add("PropertyListEncoder", bytes: list.count) { _ = try plist.encode(value) }
        encoding.add("JSONEncoder", bytes: json.count) { _ = try JSONEncoder().encode(value) }
        encoding.add("plistlib", bytes: list.count, elsewhere: { try Python.seconds("write", list) })
        try encoding.run()
    }
}
