import Vocabulary

extension ArchiveValue {
    /// The kind of value, for a message: `a date`, `an object of NSUUID`.
    public var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .real(let number): number.isFinite ? "a real" : "a number that is not finite"
        case .string: "a string"
        case .data: "data"
        case .date: "a date"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .reference: "a reference to an object of a keyed archive"
        case .tagged(.numberKeys, _): "a dictionary whose keys are numbers"
        case .tagged(let name, let below) where name.objectNumber != nil: below.kindInWords
        case .tagged(let name, _): "an object of \(PrintableText(name.description))"
        }
    }
}
