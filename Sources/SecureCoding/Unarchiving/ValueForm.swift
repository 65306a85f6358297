internal import Foundation
internal import SecureArchive
internal import Vocabulary

/// The fields of an object of a value class. Each class has exactly one form here, the one that Apple's archiver
/// writes.
struct ValueForm {
    /// So many keys may have one hash without costing much time.
    private static let mostOfOneHash = 32

    private let kind: ValueClass
    private let fields: ArchiveFields
    private let id: UInt32
    /// The objects within: keys before values.
    let references: [UInt32]

    init(_ kind: ValueClass, _ fields: ArchiveFields, _ id: UInt32) throws(ArchiveError) {
        self.kind = kind
        self.fields = fields
        self.id = id
        switch kind {
        case .array, .mutableArray, .set, .mutableSet:
            references = try Self.list("NS.objects", fields, id)
        case .dictionary, .mutableDictionary:
            let keys = try Self.list("NS.keys", fields, id)
            let values = try Self.list("NS.objects", fields, id)
            guard keys.count == values.count else {
                throw ArchiveError(
                    .damaged,
                    "there are \(keys.count) keys and \(values.count) values",
                    at: "$objects[\(id)]"
                )
            }
            references = keys + values
        case .orderedSet, .mutableOrderedSet: references = try Self.numbered(fields, id)
        default: references = []
        }
    }

    private static func list(
        _ key: String,
        _ fields: ArchiveFields,
        _ id: UInt32
    ) throws(ArchiveError) -> [UInt32] {
        guard case .array(let values)? = fields[key] else {
            throw ArchiveError(.damaged, "\(key) is missing or no array", at: "$objects[\(id)]")
        }
        var found: [UInt32] = []
        found.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            guard case .reference(let id) = value else {
                throw ArchiveError(
                    .damaged,
                    "\(value.kindText) is no reference",
                    at: Spot(id: id, key: key, index: index).text
                )
            }
            found.append(id)
        }
        return found
    }

    /// The elements of an ordered set, each in a field of its own.
    private static func numbered(_ fields: ArchiveFields, _ id: UInt32) throws(ArchiveError) -> [UInt32] {
        var found: [UInt32] = []
        while let value = fields["NS.object.\(found.count)"] {
            guard case .reference(let id) = value else {
                let place = Spot(id: id, key: "NS.object.\(found.count)").text
                throw ArchiveError(.damaged, "\(value.kindText) is no reference", at: place)
            }
            found.append(id)
        }
        return found
    }

    /// The instance, made of the objects within.
    /// - Parameters:
    ///   - held: gives the object of a number at a place
    ///   - part: the same for a part of the object itself, such as the base of a URL
    func object(
        held: (UInt32, Spot) throws -> NSObject,
        part: (UInt32, Spot) throws -> NSObject?
    ) throws -> NSObject {
        switch kind {
        case .array: return array(try elements(held))
        case .mutableArray: return NSMutableArray(array: try elements(held))
        case .dictionary, .mutableDictionary: return try dictionary(held)
        case .set: return NSSet(array: try hashed(elements(held)))
        case .mutableSet: return NSMutableSet(array: try hashed(elements(held)))
        case .orderedSet: return NSOrderedSet(array: try hashed(elements(held)))
        case .mutableOrderedSet: return NSMutableOrderedSet(array: try hashed(elements(held)))
        case .string: return NSString(string: try text())
        case .mutableString: return NSMutableString(string: try text())
        case .data: return NSData(data: try data("NS.data"))
        case .mutableData: return NSMutableData(data: try data("NS.data"))
        case .number: return try number()
        case .date: return try date()
        case .null: return NSNull()
        case .uuid: return try uuid()
        case .url: return try url(part)
        }
    }

    // MARK: Collections

    private func elements(_ held: (UInt32, Spot) throws -> NSObject) throws -> [NSObject] {
        try objects(references[...], "NS.objects", held)
    }

    private func objects(
        _ ids: ArraySlice<UInt32>,
        _ key: String,
        _ held: (UInt32, Spot) throws -> NSObject
    ) throws -> [NSObject] {
        var spot = Spot(id: id, key: key, index: 0)
        var objects: [NSObject] = []
        objects.reserveCapacity(ids.count)
        for child in ids {
            spot.index = objects.count
            objects.append(try held(child, spot))
        }
        return objects
    }

    private func dictionary(_ held: (UInt32, Spot) throws -> NSObject) throws -> NSObject {
        let count = references.count / 2
        let keys = try hashed(objects(references[..<count], "NS.keys", held))
        let values = try objects(references[count...], "NS.objects", held)
        for key in keys where type(of: key) != NSString.self && !(key is any NSCopying) {
            throw damaged("a key of class \(type(of: key)) can't be copied")
        }
        let result = dictionary(values, keys)
        guard result.count == count else { throw damaged("a key occurs twice") }
        return result
    }

    // Foundation's calls with arrays check the type of each element before they reach those with addresses.

    private func array(_ elements: [NSObject]) -> NSArray {
        // because the objects are the same, and the array retains them once it is made
        elements.withUnsafeBufferPointer { elements in
            elements.withMemoryRebound(to: AnyObject.self) { NSArray(objects: $0.baseAddress, count: $0.count) }
        }
    }

    private func dictionary(_ values: [NSObject], _ keys: [NSObject]) -> NSDictionary {
        let type = kind == .mutableDictionary ? NSMutableDictionary.self : NSDictionary.self
        // because the objects are the same, as many values as keys, and the dictionary retains them once it is made
        return values.withUnsafeBufferPointer { values in
            values.withMemoryRebound(to: AnyObject.self) { values in
                keys.withUnsafeBufferPointer {
                    type.init(objects: values.baseAddress, forKeys: $0.baseAddress, count: $0.count)
                }
            }
        }
    }

    /// Checks objects that will be found by their hashes. Foundation's hashes of texts read a part of them and have no
    /// key (seen with Swift 6.3.1), and collections hash by their count. So a stranger can choose any number of texts
    /// with one hash. Texts with equal hashes are limited, and collections are refused.
    private func hashed(_ objects: [NSObject]) throws -> [NSObject] {
        for object in objects where type(of: object) != NSString.self {
            if let kind = ValueClass.kind(of: object), !kind.isScalar {
                throw ArchiveError(.notAllowed, "a collection can't be a key or stand in a set", at: "$objects[\(id)]")
            }
        }
        guard objects.count > Self.mostOfOneHash else { return objects }
        // In sorted order, equal hashes are neighbours. That is faster than counting them in a table.
        let hashes = objects.map(\.hash).sorted()
        guard zip(hashes, hashes.dropFirst(Self.mostOfOneHash)).allSatisfy({ $0 != $1 }) else {
            let words = "more than \(Self.mostOfOneHash) keys or elements have the same hash"
            throw ArchiveError(.tooLarge, words, at: "$objects[\(id)]")
        }
        return objects
    }

    // MARK: Values

    private func damaged(_ words: String) -> ArchiveError {
        ArchiveError(.damaged, words, at: "$objects[\(id)]")
    }

    private func text() throws -> String {
        guard case .string(let text)? = fields["NS.string"] else { throw damaged("NS.string is missing or no text") }
        return text
    }

    private func data(_ key: String) throws -> Data {
        guard case .data(let bytes)? = fields[key] else { throw damaged("\(key) is missing or no data") }
        return Data(bytes)
    }

    private func number() throws -> NSNumber {
        guard let number = fields["NS.number"]?.numberObject else { throw damaged("NS.number is missing or no number") }
        return number
    }

    private func date() throws -> NSDate {
        do throws(Misfit) {
            if let seconds = try fields["NS.time"]?.asDouble(), let date = ArchiveDate(secondsSince2001: seconds) {
                return NSDate(timeIntervalSinceReferenceDate: date.secondsSince2001)
            }
        } catch {
            throw damaged("NS.time is no number")
        }
        throw damaged("NS.time is missing or outside of the years 1 to 9999")
    }

    private func uuid() throws -> NSUUID {
        guard case .data(let bytes)? = fields["NS.uuidbytes"], bytes.count == 16 else {
            throw damaged("NS.uuidbytes is missing or has not 16 bytes")
        }
        return NSUUID(uuidBytes: bytes)
    }

    private func url(_ part: (UInt32, Spot) throws -> NSObject?) throws -> NSURL {
        guard case .reference(let baseID)? = fields["NS.base"], case .reference(let relativeID)? = fields["NS.relative"]
        else { throw damaged("NS.base or NS.relative is missing or no reference") }
        let base = try part(baseID, Spot(id: id, key: "NS.base"))
        let relative = try part(relativeID, Spot(id: id, key: "NS.relative"))
        guard base == nil || base is NSURL, let relative = relative as? NSString,
            let url = NSURL(string: String(describing: relative), relativeTo: (base as? NSURL).map { $0 as URL })
        else { throw damaged("this is no URL") }
        return url
    }
}
