/// What a field of a class may hold. Each field is checked against its own type, however often its object was accepted elsewhere.
///
/// Keyed archives know two ways to hold a number: in the object, as `encode(_: Int, forKey:)` writes it, and as an object of its own, as
/// `encodeObject` writes an `NSNumber`. Both come out of an archive as the same value, and the type of the field says how it goes back.
public indirect enum ArchiveType: Sendable, Hashable {
    /// True or false, in the object.
    case bool
    /// A whole number, in the object.
    case integer
    /// A number with a fraction, in the object.
    case real
    /// Bytes, in the object.
    case bytes
    /// True, false or a number, in the object, as an `NSNumber` or as a text, for classes whose
    /// writers differ. What was a number's object is tagged `NSNumber`; what a text says is for its
    /// reader to find out.
    case scalar
    /// Text that is an `NSString` or an `NSMutableString`.
    case string
    /// A truth or a number that is an `NSNumber`.
    case number
    /// Bytes that are an `NSData` or an `NSMutableData`.
    case data
    /// An `NSDate`.
    case date
    /// An `NSArray` or an `NSMutableArray` of elements of one type. There is no object for an element to be in, so that
    /// ``bool``, ``integer`` and ``real`` say which kind of `NSNumber` it is, and ``bytes`` is ``data``.
    case array(ArchiveType)
    /// An `NSDictionary` or an `NSMutableDictionary` of texts to values of one type, for which the same holds.
    case dictionary(ArchiveType)
    /// An object of exactly this class.
    case object(ClassName)
    /// An object of any class that the schema allows.
    case any
    /// A truth or a number of the type behind it, in the object; or an object that is the text of
    /// one, as some games write it. What the text says is for its reader to find out.
    case orText(ArchiveType)
    /// What is behind it, or no object, or no such key.
    case optional(ArchiveType)

    /// Whether values of this type stand in the object that has the field.
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

    /// What it is called in messages.
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
