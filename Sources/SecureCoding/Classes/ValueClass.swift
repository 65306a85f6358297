internal import Foundation
internal import SecureArchive

/// The classes that hold values and nothing else. Their instances are made here, never by their own `init(coder:)`.
enum ValueClass: UInt32, CaseIterable {
    case array, mutableArray
    case dictionary, mutableDictionary
    case string, mutableString
    case data, mutableData
    case set, mutableSet
    case orderedSet, mutableOrderedSet
    case number, date, null, uuid, url

    /// As an archive spells it.
    var name: String { String(describing: instances) }

    /// What Foundation knows it by.
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

    /// The mutable forms stand wherever their plain ones may: whoever reads them can't tell, and whoever changes one has asked for it.
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

    /// What may be the key of a dictionary or stand in a set. Collections may not: to compare two of them can take as long as a stranger likes.
    var isScalar: Bool {
        switch self {
        case .string, .mutableString, .data, .mutableData, .number, .date, .null, .uuid, .url: true
        default: false
        }
    }

    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
    static let byType = Dictionary(uniqueKeysWithValues: allCases.map { (ObjectIdentifier($0.instances), $0) })
}

/// Some of the value classes.
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
