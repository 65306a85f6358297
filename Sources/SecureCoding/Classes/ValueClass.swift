internal import Foundation
internal import SecureArchive

/// The classes of plain values. Their instances are made here, never by their own `init(coder:)`.
enum ValueClass: UInt32, CaseIterable {
    case array, mutableArray
    case dictionary, mutableDictionary
    case string, mutableString
    case data, mutableData
    case set, mutableSet
    case orderedSet, mutableOrderedSet
    case number, date, null, uuid, url

    /// The name in an archive.
    var name: String { String(describing: instances) }

    /// The class of Foundation.
    var instances: NSObject.Type {
        switch self {
        case .array: NSArray.self
        case .mutableArray: NSMutableArray.self
        case .dictionary: NSDictionary.self
        case .mutableDictionary: NSMutableDictionary.self
        case .string: NSString.self
        case .mutableString: NSMutableString.self
        case .data: NSData.self
        case .mutableData: NSMutableData.self
        case .set: NSSet.self
        case .mutableSet: NSMutableSet.self
        case .orderedSet: NSOrderedSet.self
        case .mutableOrderedSet: NSMutableOrderedSet.self
        case .number: NSNumber.self
        case .date: NSDate.self
        case .null: NSNull.self
        case .uuid: NSUUID.self
        case .url: NSURL.self
        }
    }

    /// The class and its mutable form. A mutable object is accepted for a plain one: readers see no difference.
    var forms: ValueClasses {
        switch self {
        case .array: [.init(.array), .init(.mutableArray)]
        case .dictionary: [.init(.dictionary), .init(.mutableDictionary)]
        case .string: [.init(.string), .init(.mutableString)]
        case .data: [.init(.data), .init(.mutableData)]
        case .set: [.init(.set), .init(.mutableSet)]
        case .orderedSet: [.init(.orderedSet), .init(.mutableOrderedSet)]
        default: .init(self)
        }
    }

    /// True for the classes of keys and of elements of sets. Collections are not among them: a stranger could make
    /// comparing two of them take any time.
    var isScalar: Bool {
        switch self {
        case .string, .mutableString, .data, .mutableData, .number, .date, .null, .uuid, .url: true
        default: false
        }
    }

    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
    static let byType = Dictionary(uniqueKeysWithValues: allCases.map { (ObjectIdentifier($0.instances), $0) })
}

/// A set of value classes.
struct ValueClasses: OptionSet {
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(_ one: ValueClass) {
        rawValue = 1 << one.rawValue
    }

    func contains(_ one: ValueClass) -> Bool {
        contains(ValueClasses(one))
    }
}
