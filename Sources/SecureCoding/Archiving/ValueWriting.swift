internal import Foundation
internal import SecureArchive

/// The fields of an object of a value class, in the one form that ``ValueForm`` reads.
struct ValueWriting {
    private let kind: ValueClass
    private let object: NSObject

    init(_ kind: ValueClass, _ object: NSObject) {
        self.kind = kind
        self.object = object
    }

    /// - Parameters:
    ///   - number: gives the number of an object that this one contains
    ///   - put: takes a field
    func write(number: (Any) throws -> UInt32, put: (String, ArchiveValue) -> Void) throws {
        switch object {
        case let array as NSArray: put("NS.objects", .array(try array.map { try reference($0, number) }))
        case let dictionary as NSDictionary: try write(dictionary, number, put)
        case let set as NSSet:
            let elements = Array(set)
            let order = try StableOrder.positions(of: elements)
            put("NS.objects", .array(try order.map { try reference(elements[$0], number) }))
        case let set as NSOrderedSet:
            for (index, element) in set.enumerated() {
                try StableOrder.checkHashed(element)
                put("NS.object.\(index)", try reference(element, number))
            }
        case let text as NSMutableString: put("NS.string", .string(String(describing: text)))
        case let data as NSData: put("NS.data", .data([UInt8](Data(referencing: data))))
        case let date as NSDate: try write(date, put)
        case let uuid as NSUUID: put("NS.uuidbytes", .data(Self.bytes(of: uuid)))
        case let url as NSURL:
            put("NS.base", .reference(try url.baseURL.map { try number($0 as NSURL) } ?? 0))
            put("NS.relative", .reference(try number(NSString(string: url.relativeString))))
        default: break
        }
    }

    private func write(
        _ dictionary: NSDictionary,
        _ number: (Any) throws -> UInt32,
        _ put: (String, ArchiveValue) -> Void
    ) throws {
        var keys: [Any] = []
        var values: [Any] = []
        for (key, value) in dictionary {
            keys.append(key)
            values.append(value)
        }
        let order = try StableOrder.positions(of: keys)
        put("NS.keys", .array(try order.map { try reference(keys[$0], number) }))
        put("NS.objects", .array(try order.map { try reference(values[$0], number) }))
    }

    private func write(_ date: NSDate, _ put: (String, ArchiveValue) -> Void) throws {
        guard let inYears = ArchiveDate(secondsSince2001: date.timeIntervalSinceReferenceDate),
            let seconds = ArchiveReal(inYears.secondsSince2001)
        else { throw ArchiveError(.inexpressible, "a date is outside of the years 1 to 9999") }
        put("NS.time", .real(seconds))
    }

    private func reference(_ value: Any, _ number: (Any) throws -> UInt32) throws -> ArchiveValue {
        .reference(try number(value))
    }

    /// The Foundation object of a Swift value: a text becomes an `NSString`.
    static func object(_ value: Any) throws(ArchiveError) -> NSObject {
        guard let object = value as AnyObject as? NSObject else {
            throw ArchiveError(.inexpressible, "\(type(of: value)) has no class that archives know")
        }
        return object
    }

    private static func bytes(of uuid: NSUUID) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        uuid.getBytes(&bytes)
        return bytes
    }
}

extension ValueClass {
    /// The plain value of an object; nil for an object that an archive needs as an object of its class.
    func plainValue(of object: NSObject) throws(ArchiveError) -> ArchiveValue? {
        switch (self, object) {
        case (.string, let text as NSString): return .string(String(describing: text))
        case (.number, let number as NSNumber): return try NumberKind(number).value(of: number)
        case (.data, let data as NSData): return .data([UInt8](Data(referencing: data)))
        default: return nil
        }
    }

    /// The names of the class and its ancestors, as Apple's archiver writes them.
    var chain: [String] {
        switch self {
        case .mutableArray: [name, "NSArray", "NSObject"]
        case .mutableDictionary: [name, "NSDictionary", "NSObject"]
        case .mutableString: [name, "NSString", "NSObject"]
        case .mutableData: [name, "NSData", "NSObject"]
        case .mutableSet: [name, "NSSet", "NSObject"]
        case .mutableOrderedSet: [name, "NSOrderedSet", "NSObject"]
        default: [name, "NSObject"]
        }
    }
}

/// The kind of an `NSNumber`. On Linux it depends on the Swift type that the number was made from (seen with Swift
/// 6.3.1).
enum NumberKind {
    case bool, integer, unsigned, real

    init(_ number: NSNumber) {
        switch number.objCType.pointee {
        case CChar(UInt8(ascii: "c")): self = .bool
        case CChar(UInt8(ascii: "d")), CChar(UInt8(ascii: "f")): self = .real
        case CChar(UInt8(ascii: "Q")): self = .unsigned
        default: self = .integer
        }
    }

    func value(of number: NSNumber) throws(ArchiveError) -> ArchiveValue {
        switch self {
        case .bool: return .bool(number.boolValue)
        case .integer: return .integer(ArchiveInteger(number.intValue))
        case .unsigned: return .integer(ArchiveInteger(number.uint64Value))
        case .real: return .real(ArchiveReal(said: number.doubleValue))
        }
    }
}
