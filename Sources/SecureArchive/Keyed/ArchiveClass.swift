/// A class that may occur in keyed archives, and what its objects are made of.
public struct ArchiveClass: Sendable {
    enum Content: Sendable {
        case value(KeyedValueClass)
        /// Exactly these fields; or, where the archive has no keys, values of these types in this order.
        case fields([ArchiveField], unkeyed: [ArchiveType])
        /// Any fields with any allowed content.
        case anything
    }

    /// Its exact name, which also tags its objects in a tree.
    public let name: ClassName
    /// What is written behind it as the classes that it descends from.
    public let ancestors: [ClassName]
    let content: Content
    /// What is wrong with fields that are each of their type; nil where nothing is.
    let fault: @Sendable (ArchiveFields) -> ArchiveError?

    /// A class with fields.
    ///
    /// - Parameters:
    ///   - fields: each field that `encode(with:)` writes under a key, those of its ancestors included
    ///   - unkeyed: the types of what it writes without keys, in that order. Such an object has the keys `$0`, `$1` and so on, and no others
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

    /// A class of Foundation's whose fields have numbers in their names.
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

    /// A class of Foundation's with fields that have to go together, as its own decoder trusts
    /// them.
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

    /// A class whose fields nobody has declared, for looking at what it holds: any fields of plain values or of allowed objects.
    ///
    /// So that it can be written again as it was, what its own kind does not tell is tagged: a number that is an object of its own as
    /// `NSNumber`, text and data that are none as `$inline`.
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

    /// The standard value classes, each for itself.
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

/// How the objects of a standard class are made up.
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
