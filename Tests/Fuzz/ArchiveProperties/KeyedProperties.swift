public import SecureArchive

/// The properties of any bytes that are read as a keyed archive.
public enum KeyedProperties {
    /// A character of a role-playing game: the class of the corpus.
    public static let character = ArchiveClass(
        "SimpleCharacter",
        fields: [ArchiveField("charColor", .string), ArchiveField("charClass", .string)]
            + ["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"].map {
                ArchiveField($0, .integer)
            },
        unkeyed: [.string, .string] + Array(repeating: .integer, count: 6)
    )

    /// The value classes, that character by both its names, a class with every kind of field, and one with undeclared
    /// fields.
    public static let schema: ArchiveSchema = {
        var schema = ArchiveSchema.values.allowing(character, everything, ArchiveClass(withAnyFields: "Archived"))
        schema.allow("decode.SimpleCharacter", as: "SimpleCharacter")
        return schema
    }()

    /// A class with a field of every type.
    public static let everything = ArchiveClass(
        "Everything",
        ancestors: ["Something", "NSObject"],
        fields: [
            ArchiveField("bool", .optional(.bool)), ArchiveField("real", .optional(.real)),
            ArchiveField("bytes", .optional(.bytes)), ArchiveField("number", .optional(.number)),
            ArchiveField("data", .optional(.data)), ArchiveField("date", .optional(.date)),
            ArchiveField("names", .optional(.array(.string))), ArchiveField("scores", .optional(.dictionary(.integer))),
            ArchiveField("hero", .optional(.object("SimpleCharacter"))), ArchiveField("next", .optional(.any)),
            ArchiveField("luck", .optional(.scalar)),
            ArchiveField("rank", .optional(.orText(.integer))),
        ]
    )

    /// The violated property; nil if all hold.
    public static func violation(for input: [UInt8]) -> String? {
        let (archive, value): (KeyedArchive, ArchiveValue)
        do throws(ArchiveError) {
            archive = try KeyedArchive(input, limits: .small)
            if let violation = graphViolation(in: archive) { return violation }
            value = try archive.value(schema: schema)
        } catch {
            return error.isFitToPrint ? nil : "an error has something unprintable: \(error)"
        }
        do throws(ArchiveError) {
            let written = try KeyedArchive.write(value, schema: schema)
            let again = try KeyedArchive.read(written, schema: schema)
            guard again == value else { return "a value does not come back" }
            guard try KeyedArchive.write(again, schema: schema) == written else {
                return "an archive is written differently the second time"
            }
            let isHeld = TightLimits(for: input).areHeld { limits throws(ArchiveError) in
                try KeyedArchive.read(input, schema: schema, limits: limits) == value
            }
            return isHeld ? nil : "tight limits change what is read"
        } catch {
            return "what was read can't be written and read again: \(error)"
        }
    }

    /// A walk over an archive never leaves it and ends.
    private static func graphViolation(in archive: KeyedArchive) -> String? {
        var depths: [UInt32: Int] = [:]
        for value in archive.top.values where depth(of: value, in: archive, &depths) > ArchiveLimits.small.depth {
            return "an archive is deeper than allowed"
        }
        return nil
    }

    /// The depth below a value. The walk ends soon, also in a circle, because it visits each object once. An object on
    /// the way counts as nothing: a tree has it elsewhere.
    private static func depth(of value: ArchiveValue, in archive: KeyedArchive, _ depths: inout [UInt32: Int]) -> Int {
        switch value {
        case .array(let elements): return elements.map { depth(of: $0, in: archive, &depths) }.max() ?? 0
        case .reference(let number):
            if let known = depths[number] { return known }
            depths[number] = 0
            var below = 0
            if case .instance(_, let fields) = archive.object(number) {
                for (key, field) in fields where key != "$class" {
                    below = max(below, depth(of: field, in: archive, &depths))
                }
                below += 1
            }
            depths[number] = below
            return below
        default: return 0
        }
    }
}
