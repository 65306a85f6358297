/// A class that may occur in keyed archives, with its fields.
public struct ArchiveClass: Sendable {
    enum Content: Sendable {
        case value(KeyedValueClass)
        /// Exactly these fields; or, if the archive has no keys, values of these types in this order.
        case fields([ArchiveField], unkeyed: [ArchiveType])
        /// Any fields with any allowed content.
        case anything
    }

    /// Its exact name, which also tags its objects in a tree.
    public let name: ClassName
    /// The ancestors that the writer names behind the class.
    public let ancestors: [ClassName]
    let content: Content
    /// A check of fields that each have their type: the fault, or nil.
    let fault: @Sendable (ArchiveFields) -> ArchiveError?

    /// A class with fields.
    ///
    /// - Parameters:
    ///   - fields: every field that `encode(with:)` writes under a key, with those of the ancestors
    ///   - unkeyed: the types of the values that it writes without keys, in that order. Such an object has the keys
    ///     `$0`, `$1` and so on, and no others
    public init(
        _ name: ClassName,
        ancestors: [ClassName] = ["NSObject"],
        fields: [ArchiveField],
        unkeyed: [ArchiveType] = []
    ) {
        self.name = name
        self.ancestors = ancestors
        content = .fields(fields, unkeyed: unkeyed)
        fault = { _ in nil }
    }

    /// A class of Foundation's with numbers in the names of its fields.
    init(
        _ name: ClassName,
        ancestors: [ClassName],
        anyFields fault: @escaping @Sendable (ArchiveFields) -> ArchiveError?
    ) {
        self.name = name
        self.ancestors = ancestors
        content = .anything
        self.fault = fault
    }

    /// A class of Foundation's with fields that must agree, because its own decoder trusts them.
    init(
        _ name: ClassName,
        ancestors: [ClassName],
        fields: [ArchiveField],
        fault: @escaping @Sendable (ArchiveFields) -> ArchiveError?
    ) {
        self.name = name
        self.ancestors = ancestors
        content = .fields(fields, unkeyed: [])
        self.fault = fault
    }

    /// A class without declared fields, for looking into archives: any fields of plain values or of allowed objects.
    ///
    /// Tags keep the form that a plain value does not show, so that it can be written again: `NSNumber` for a number
    /// that is an object of its own, `$inline` for text and data that are not.
    public init(withAnyFields name: ClassName, ancestors: [ClassName] = ["NSObject"]) {
        self.name = name
        self.ancestors = ancestors
        content = .anything
        fault = { _ in nil }
    }

    init(_ name: ClassName, ancestors: [ClassName], _ value: KeyedValueClass) {
        self.name = name
        self.ancestors = ancestors
        content = .value(value)
        fault = { _ in nil }
    }

    /// The standard value classes.
    public static let standard: [ArchiveClass] = plain + composed

    private static let plain: [ArchiveClass] = [
        ArchiveClass(.nsDictionary, ancestors: [.nsObject], .dictionary),
        ArchiveClass(.nsMutableDictionary, ancestors: [.nsDictionary, .nsObject], .dictionary),
        ArchiveClass(.nsArray, ancestors: [.nsObject], .array),
        ArchiveClass(.nsMutableArray, ancestors: [.nsArray, .nsObject], .array),
        ArchiveClass(.nsString, ancestors: [.nsObject], .string),
        ArchiveClass(.nsMutableString, ancestors: [.nsString, .nsObject], .string),
        ArchiveClass(.nsNumber, ancestors: ["NSValue", .nsObject], .number),
        ArchiveClass(.nsData, ancestors: [.nsObject], .data),
        ArchiveClass(.nsMutableData, ancestors: [.nsData, .nsObject], .data),
        ArchiveClass(.nsDate, ancestors: [.nsObject], .date),
        ArchiveClass(.nsNull, ancestors: [.nsObject], .null),
        ArchiveClass(.nsUUID, ancestors: [.nsObject], .uuid),
        ArchiveClass(.nsURL, ancestors: [.nsObject], .url),
        ArchiveClass(.nsSet, ancestors: [.nsObject], .set),
        ArchiveClass(.nsMutableSet, ancestors: [.nsSet, .nsObject], .set),
        ArchiveClass(.nsOrderedSet, ancestors: [.nsObject], .orderedSet),
        ArchiveClass(.nsMutableOrderedSet, ancestors: [.nsOrderedSet, .nsObject], .orderedSet),
    ]
}

/// The parts of the objects of a standard class.
enum KeyedValueClass: Sendable {
    case dictionary
    case array
    case string
    case number
    case data
    case date
    case null
    case uuid
    case url
    case set
    case orderedSet
}
