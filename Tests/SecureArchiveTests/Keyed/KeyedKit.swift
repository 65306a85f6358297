import SecureArchive
import Testing

/// Keyed archives made by hand, for tests.
enum KeyedKit {
    /// An archive of these objects, of which the first is the root and has number 1.
    static func archive(_ objects: [ArchiveValue], top: ArchiveFields = ["root": .reference(1)]) throws -> [UInt8] {
        try BinaryPropertyList.write(list(objects, top: top))
    }

    static func list(_ objects: [ArchiveValue], top: ArchiveFields = ["root": .reference(1)]) -> ArchiveValue {
        .dictionary([
            "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"), "$top": .dictionary(top),
            "$objects": .array([.string("$null")] + objects),
        ])
    }

    /// The definition of a class.
    static func definition(_ name: String, _ ancestors: String...) -> ArchiveValue {
        .dictionary(["$classname": .string(name), "$classes": .array(([name] + ancestors).map { .string($0) })])
    }

    /// An object whose class is defined by another.
    static func object(_ fields: ArchiveFields, class number: UInt32) -> ArchiveValue {
        var fields = fields
        fields["$class"] = .reference(number)
        return .dictionary(fields)
    }

    static func references(_ numbers: UInt32...) -> ArchiveValue {
        .array(numbers.map { .reference($0) })
    }
}

extension KeyedKit {
    static func expectRefusal(
        of archive: [UInt8],
        _ schema: ArchiveSchema,
        _ message: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        do throws(ArchiveError) {
            let value = try KeyedArchive.read(archive, schema: schema)
            Issue.record("it was read as \(value)", sourceLocation: location)
        } catch {
            #expect(error.message == message, sourceLocation: location)
        }
    }
}
