import Foundation
import SecureArchive
import SecureCoding

/// Property lists as trees, without any type.
struct TreePart {
    let load: Load
    let rounds: Int

    init(_ load: Load, rounds: Int) {
        self.load = load
        self.rounds = rounds
    }

    func run() throws {
        let tree = try load == .strings ? ArchiveEncoder().tree(of: load.texts) : ArchiveEncoder().tree(of: load.stats)
        let list = Data(try BinaryPropertyList.write(tree))
        let theirs = try PropertyListSerialization.propertyList(from: list, format: nil)
        print("\ntrees: \(load.rawValue)")
        var reading = Contest("check and read", rounds: rounds)
        reading.add("BinaryPropertyList", bytes: list.count) { _ = try BinaryPropertyList.read([UInt8](list)) }
        reading.add("PropertyListSerialization", bytes: list.count) {
            _ = try PropertyListSerialization.propertyList(from: list, format: nil)
        }
        reading.add("plistlib", bytes: list.count, elsewhere: { try Python.seconds("read", list) })
        try reading.run()
        var writing = Contest("write", rounds: rounds)
        writing.add("BinaryPropertyList", bytes: list.count) { _ = try BinaryPropertyList.write(tree) }
        writing.add("PropertyListSerialization", bytes: list.count) {
            _ = try PropertyListSerialization.data(fromPropertyList: theirs, format: .binary, options: 0)
        }
        writing.add("plistlib", bytes: list.count, elsewhere: { try Python.seconds("write", list) })
        try writing.run()
    }
}
