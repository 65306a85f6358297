import Foundation
import SecureArchive
import SecureCoding

/// Keyed archives of classes that code themselves.
struct KeyedPart {
    let load: Load
    let rounds: Int

    init(_ load: Load, rounds: Int) {
        self.load = load
        self.rounds = rounds
    }

    func run() throws {
        let object = load.object
        let theirs = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        let ours = try SecureArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        print("\nkeyed archives: \(load.rawValue)")
        try decode(theirs)
        var encoding = Contest("encode", rounds: rounds)
        encoding.add("SecureArchiver", bytes: ours.count) {
            _ = try SecureArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        }
        encoding.add("NSKeyedArchiver", bytes: theirs.count) {
            _ = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        }
        encoding.add("plistlib, the raw list", bytes: ours.count, elsewhere: { try Python.seconds("write", ours) })
        try encoding.run()
    }

    /// All contenders read Foundation's archive.
    private func decode(_ archive: Data) throws {
        var decoding = Contest("check and decode", rounds: rounds)
        decoding.add("SecureUnarchiver", bytes: archive.count) {
            _ = try SecureUnarchiver.unarchivedObject(ofClasses: load.classes, from: archive)
        }
        let schema = load.schema
        decoding.add("KeyedArchive, into a tree", bytes: archive.count) {
            _ = try KeyedArchive.read([UInt8](archive), schema: schema)
        }
        decoding.add("NSKeyedUnarchiver", bytes: archive.count) {
            _ = try NSKeyedUnarchiver.unarchivedObject(ofClasses: load.classes, from: archive)
        }
        decoding.add("plistlib, the raw list", bytes: archive.count, elsewhere: { try Python.seconds("read", archive) })
        try decoding.run()
    }
}
