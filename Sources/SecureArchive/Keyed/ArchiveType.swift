/// The type of a field of a class. The reader checks each field against its own type, even if its object was accepted
/// elsewhere.
///
/// Keyed archives have two forms for a number: within the object, as `encode(_: Int, forKey:)` writes it, and as an
/// object of its own, as `encodeObject` writes an `NSNumber`. Both become the same value, and the type of the field
/// says how to write it.
public indirect enum ArchiveType: Sendable, Hashable {
    /// True or false, within the object.
    case bool
    /// A whole number, within the object.
    case integer
    /// A number with a fraction, within the object.
    case real
    /// Bytes, within the object.
    case bytes
    /// A Boolean or a number, within the object, as an `NSNumber` or as a text, for classes whose writers differ. The
    /// tag `NSNumber` marks a number that was an object; the caller parses texts.
    case scalar
    /// Text that is an `NSString` or an `NSMutableString`.
    case string
    /// A Boolean or a number that is an `NSNumber`.
    case number
    /// Bytes that are an `NSData` or an `NSMutableData`.
    case data
    /// An `NSDate`.
    case date
    /// An `NSArray` or an `NSMutableArray` of elements of one type. Elements are never within an object, so ``bool``,
    /// ``integer`` and ``real`` name a kind of `NSNumber` here, and ``bytes`` is ``data``.
    case array(ArchiveType)
    /// An `NSDictionary` or an `NSMutableDictionary` from texts to values of one type, with the same meaning as in
    /// ``array(_:)``.
    case dictionary(ArchiveType)
    /// An object of exactly this class.
    case object(ClassName)
    /// An object of any class that the schema allows.
    case any
    /// A Boolean or a number of the given type, within the object; or an object that is the text of one, as some games
    /// write it. The caller parses the text.
    case orText(ArchiveType)
    /// A value of the given type, no object, or no such key.
    case optional(ArchiveType)

    /// True if values of this type are within the object that has the field.
    var isInline: Bool {
        switch self {
        case .bool, .integer, .real, .bytes: true
        case .optional(let type): type.isInline
        default: false
        }
    }

    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The name in messages.
    var words: String {
        switch self {
        case .bool: "a boolean"
        case .integer: "an integer"
        case .real: "a real"
        case .bytes, .data: "data"
        case .string: "a string"
        case .number, .scalar: "a number"
        case .date: "a date"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .object(let name): "an object of \(name)"
        case .any: "any object"
        case .optional(let type), .orText(let type): type.words
        }
    }
}
