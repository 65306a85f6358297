/// Foundation's values with several fields: points and sizes, indexes, decimal numbers, measurements. A tree has their
/// fields as the archive spells them.
extension ArchiveClass {
    static let composed: [ArchiveClass] =
        [
            ArchiveClass("NSValue", ancestors: [.nsObject], fields: valueFields, fault: valueFault),
            ArchiveClass(
                "NSIndexSet",
                ancestors: [.nsObject],
                fields: indexSetFields,
                fault: indexSetFault
            ),
            ArchiveClass(
                "NSMutableIndexSet",
                ancestors: ["NSIndexSet", .nsObject],
                fields: indexSetFields,
                fault: indexSetFault
            ),
            ArchiveClass(
                "NSIndexPath",
                ancestors: [.nsObject],
                fields: indexPathFields,
                fault: indexPathFault
            ),
            ArchiveClass(
                "NSDecimalNumber",
                ancestors: [.nsNumber, "NSValue", .nsObject],
                fields: decimalFields,
                fault: decimalFault
            ),
            ArchiveClass(
                "NSCountedSet",
                ancestors: [.nsMutableSet, .nsSet, .nsObject],
                anyFields: countedSetFault
            ),
            ArchiveClass(
                "NSMeasurement",
                fields: [ArchiveField("NS.value", .real), ArchiveField("NS.unit", .any)]
            ),
            ArchiveClass(
                "NSUnitConverterLinear",
                ancestors: ["NSUnitConverter", .nsObject],
                fields: [
                    ArchiveField("NS.coefficient", .optional(.real)),
                    ArchiveField("NS.constant", .optional(.real)),
                ]
            ),
        ] + units

    private static func damaged(_ detail: String) -> ArchiveError { ArchiveError(.damaged, detail) }

    private static func whole(_ fields: ArchiveFields, _ key: String) -> Int? {
        if case .integer(let integer)? = fields[key] { integer.value() } else { nil }
    }

    private static func byteCount(_ fields: ArchiveFields, _ key: String) -> Int? {
        switch fields[key] {
        case .data(let bytes), .tagged(.nsMutableData, .data(let bytes)): bytes.count
        default: nil
        }
    }

    // MARK: Points, sizes, rectangles, ranges

    private static let valueFields = [
        ArchiveField("NS.special", .integer), ArchiveField("NS.pointval", .optional(.string)),
        ArchiveField("NS.sizeval", .optional(.string)),
        ArchiveField("NS.rectval", .optional(.string)),
        ArchiveField("NS.rangeval.location", .optional(.any)),
        ArchiveField("NS.rangeval.length", .optional(.any)),
    ]

    /// Checks which fields each kind has, and how many numbers its text has.
    private static func valueFault(_ fields: ArchiveFields) -> ArchiveError? {
        let (keys, numberCount): ([String], Int)
        switch whole(fields, "NS.special") {
        case 1: (keys, numberCount) = (["NS.pointval"], 2)
        case 2: (keys, numberCount) = (["NS.sizeval"], 2)
        case 3: (keys, numberCount) = (["NS.rectval"], 4)
        case 4: (keys, numberCount) = (["NS.rangeval.location", "NS.rangeval.length"], 1)
        default:
            // Insets, transforms and times are sound values that Huddle does not know.
            return ArchiveError(.notAllowed, "it is no point, size, rectangle or range")
        }
        let found = fields.filter { $0.key != "NS.special" && $0.value != .null }
        guard Set(found.map(\.key)) == Set(keys) else {
            return damaged("its fields are not those of one kind of value")
        }
        for (_, value) in found {
            switch value {
            case .string(let text)
            where numberCount > 1 && Self.numberCount(in: text) == numberCount: continue
            case .integer(let integer)
            where numberCount == 1 && integer.value(as: UInt32.self) != nil: continue
            default: return damaged("its numbers are none")
            }
        }
        return nil
    }

    /// The count of finite numbers in `{{0, 0}, {480, 320}}`; nil for another text.
    private static func numberCount(in text: String) -> Int? {
        guard text.utf8.count <= 400, text.utf8.first == UInt8(ascii: "{"),
            text.utf8.last == UInt8(ascii: "}")
        else {
            return nil
        }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(part.filter { !"{} ".contains($0) })
        }
        return numbers.allSatisfy { $0?.isFinite == true } ? numbers.count : nil
    }

    // MARK: Indexes

    private static let indexSetFields = [
        ArchiveField("NSRangeCount", .integer), ArchiveField("NSLocation", .optional(.integer)),
        ArchiveField("NSLength", .optional(.integer)),
        ArchiveField("NSRangeData", .optional(.data)),
    ]

    /// One range has two numbers; several are packed, with at least one byte for each end.
    private static func indexSetFault(_ fields: ArchiveFields) -> ArchiveError? {
        let isEmpty = { (key: String) in (fields[key] ?? .null) == .null }
        switch whole(fields, "NSRangeCount") {
        case 0? where ["NSLocation", "NSLength", "NSRangeData"].allSatisfy(isEmpty): return nil
        case 1?:
            guard let start = whole(fields, "NSLocation"), let length = whole(fields, "NSLength"),
                isEmpty("NSRangeData"), start >= 0, length >= 1, length <= Int.max - start
            else { return damaged("its range is none") }
            return nil
        case let count? where count > 1:
            guard let bytes = byteCount(fields, "NSRangeData"), isEmpty("NSLocation"),
                isEmpty("NSLength"),
                bytes / 2 >= count, bytes / 20 <= count
            else { return damaged("its ranges are not as many as it says") }
            return nil
        default: return damaged("its ranges are not as many as it says")
        }
    }

    private static let indexPathFields = [
        ArchiveField("NSIndexPathLength", .integer),
        ArchiveField("NSIndexPathValue", .optional(.integer)),
        ArchiveField("NSIndexPathData", .optional(.data)),
    ]

    private static func indexPathFault(_ fields: ArchiveFields) -> ArchiveError? {
        let value = whole(fields, "NSIndexPathValue")
        let bytes = byteCount(fields, "NSIndexPathData")
        switch whole(fields, "NSIndexPathLength") {
        case 0? where value == nil && bytes == nil: return nil
        case 1? where bytes == nil && value.map { $0 >= 0 } == true: return nil
        case let count? where count > 1 && value == nil:
            guard let bytes, bytes >= count, bytes / 10 <= count else {
                return damaged("its indexes are not as many as it says")
            }
            return nil
        default: return damaged("its indexes are not as many as it says")
        }
    }

    // MARK: Counted sets

    /// Decoders insert the elements one after the other, so a huge count would keep them busy for ever.
    private static let greatestCount = 1_000_000

    private static func countedSetFault(_ fields: ArchiveFields) -> ArchiveError? {
        guard let count = whole(fields, "NS.count"), count >= 0, count <= fields.count,
            fields.count == 2 * count + 1
        else { return ArchiveError(.notAllowed, "its fields are not those of a counted set") }
        var total = 0
        for number in 0..<count {
            guard fields["NS.object\(number)"] != nil,
                let times = whole(fields, "NS.count\(number)")
            else {
                return ArchiveError(.notAllowed, "its fields are not those of a counted set")
            }
            guard (1...greatestCount).contains(times), total + times <= greatestCount else {
                return damaged("it holds an element more often than it can")
            }
            total += times
        }
        return nil
    }

    // MARK: Decimal numbers

    private static let decimalFields = [
        ArchiveField("NS.exponent", .integer), ArchiveField("NS.length", .integer),
        ArchiveField("NS.negative", .bool), ArchiveField("NS.compact", .bool),
        ArchiveField("NS.mantissa.bo", .integer), ArchiveField("NS.mantissa", .bytes),
    ]

    /// Decoders trust the length of the mantissa; a length of -1 has crashed one.
    private static func decimalFault(_ fields: ArchiveFields) -> ArchiveError? {
        guard let exponent = whole(fields, "NS.exponent"), (-128...127).contains(exponent),
            let length = whole(fields, "NS.length"), (0...8).contains(length),
            let order = whole(fields, "NS.mantissa.bo"), (0...2).contains(order),
            byteCount(fields, "NS.mantissa") == 16
        else { return damaged("it is no decimal number") }
        return nil
    }

    // MARK: Units

    /// `NSUnit` itself is a unit with a symbol and no dimension.
    private static let units: [ArchiveClass] =
        [
            ArchiveClass(
                "NSUnit",
                ancestors: [.nsObject],
                fields: [ArchiveField("NS.symbol", .string), ArchiveField("NS.specifier", .optional(.integer))]
            )
        ]
        + [
            "NSUnitAcceleration", "NSUnitAngle", "NSUnitArea", "NSUnitDuration", "NSUnitEnergy",
            "NSUnitFrequency", "NSUnitLength", "NSUnitMass", "NSUnitPower", "NSUnitPressure", "NSUnitSpeed",
            "NSUnitTemperature", "NSUnitVolume",
        ].map { name in
            ArchiveClass(
                name,
                ancestors: ["NSDimension", "NSUnit", .nsObject],
                fields: [
                    ArchiveField("NS.symbol", .string),
                    ArchiveField("NS.converter", .optional(.object("NSUnitConverterLinear"))),
                    // A number of Apple's own for units that formatters know.
                    ArchiveField("NS.specifier", .optional(.integer)),
                ]
            )
        }
}
