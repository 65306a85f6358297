extension ArchiveType {
    /// Refuses a value of a tree with another type, and names the place.
    func check(_ value: ArchiveValue) throws(ArchiveError) {
        switch (self, value) {
        case (_, .tagged(let name, let below)) where name.objectNumber != nil: try check(below)
        case (.any, _), (.bool, .bool), (.integer, .integer), (.real, .real), (.bytes, .data), (.data, .data),
            (.string, .string), (.date, .date), (.number, .bool), (.number, .integer), (.number, .real),
            (.scalar, .bool), (.scalar, .integer), (.scalar, .real), (.scalar, .tagged(.nsNumber, _)),
            (.scalar, .string), (.scalar, .tagged(.nsMutableString, .string)),
            (.optional, .null):
            return
        case (.orText, .string), (.orText, .tagged(.nsMutableString, .string)): return
        case (.optional(let type), _), (.orText(let type), _): try type.check(value)
        case (.object(let name), _) where Self.plainClass(of: value) == name: return
        case (.string, .tagged(.nsMutableString, .string)), (.data, .tagged(.nsMutableData, .data)): return
        case (.array(let type), .array(let elements)),
            (.array(let type), .tagged(.nsMutableArray, .array(let elements))):
            try Self.check(elements, are: type)
        case (.dictionary(let type), .dictionary(let fields)),
            (.dictionary(let type), .tagged(.nsMutableDictionary, .dictionary(let fields))):
            try Self.check(fields, are: type)
        default:
            throw ArchiveError(.notAllowed, "it is \(value.kindInWords), but \(words) is expected")
        }
    }

    private static func check(_ elements: [ArchiveValue], are type: ArchiveType) throws(ArchiveError) {
        if type == .any { return }
        for (position, element) in elements.enumerated() {
            do { try type.check(element) } catch { throw error.inside(.index(position)) }
        }
    }

    private static func check(_ fields: ArchiveFields, are type: ArchiveType) throws(ArchiveError) {
        if type == .any { return }
        for (position, value) in fields.values.enumerated() {
            do { try type.check(value) } catch { throw error.inside(.key(fields.keys[position])) }
        }
    }

    /// The class that a plain value is an object of.
    private static func plainClass(of value: ArchiveValue) -> ClassName? {
        switch value {
        case .null: .nsNull
        case .bool, .integer, .real: .nsNumber
        case .string: .nsString
        case .data: .nsData
        case .date: .nsDate
        case .array: .nsArray
        case .dictionary: .nsDictionary
        case .reference: nil
        case .tagged(.numberKeys, _): .nsDictionary
        case .tagged(let name, let below): name.objectNumber == nil ? name : plainClass(of: below)
        }
    }
}
