import Foundation
import SecureArchive

/// A keyed archive made by hand, as an attacker would.
struct ArchiveSketch {
    private(set) var objects: [ArchiveValue] = [.string("$null")]
    var root: UInt32 = 0

    /// A plain object.
    mutating func add(_ value: ArchiveValue) -> UInt32 {
        objects.append(value)
        return UInt32(objects.count - 1)
    }

    /// The definition of a class.
    mutating func define(_ name: String, chain: [String]? = nil, hints: [String]? = nil) -> UInt32 {
        var fields: ArchiveFields = [
            "$classname": .string(name), "$classes": .array((chain ?? [name, "NSObject"]).map { .string($0) }),
        ]
        if let hints { fields["$classhints"] = .array(hints.map { .string($0) }) }
        return add(.dictionary(fields))
    }

    /// An object of a class that is defined for it.
    mutating func make(_ name: String, _ fields: ArchiveFields = [:]) -> UInt32 {
        var fields = fields
        fields["$class"] = .reference(define(name))
        return add(.dictionary(fields))
    }

    /// An object of a class that is defined already.
    mutating func make(of definition: UInt32, _ fields: ArchiveFields = [:]) -> UInt32 {
        var fields = fields
        fields["$class"] = .reference(definition)
        return add(.dictionary(fields))
    }

    mutating func array(_ elements: [UInt32], _ name: String = "NSArray") -> UInt32 {
        make(name, ["NS.objects": .array(elements.map { .reference($0) })])
    }

    /// Puts another record in the place of one.
    mutating func replace(_ id: UInt32, _ value: ArchiveValue) {
        objects[Int(id)] = value
    }

    var data: Data {
        get throws {
            let tree: ArchiveValue = .dictionary([
                "$archiver": .string("NSKeyedArchiver"), "$objects": .array(objects),
                "$top": .dictionary(["root": .reference(root)]), "$version": .integer(100_000),
            ])
            return Data(try BinaryPropertyList.write(tree))
        }
    }

    /// An archive whose root the body makes.
    static func data(_ body: (inout ArchiveSketch) -> UInt32) throws -> Data {
        var sketch = ArchiveSketch()
        sketch.root = body(&sketch)
        return try sketch.data
    }
}
