internal import Foundation
internal import SecureArchive

/// Sorts keys and elements that Foundation keeps in the order of hashes. That order differs in each run; a stable one
/// makes equal collections equal bytes.
///
/// Objects of a program's own classes have no order; they stay behind the values, in the order of Foundation.
enum StableOrder {
    /// The positions of the keys in their stable order.
    static func positions(of keys: [Any]) throws(ArchiveError) -> [Int] {
        var ranked: [(rank: Rank, position: Int)] = []
        ranked.reserveCapacity(keys.count)
        for (position, key) in keys.enumerated() {
            ranked.append((try rank(key), position))
        }
        // Stable, so that objects without an order keep theirs.
        return ranked.sorted { $0.rank < $1.rank }.map(\.position)
    }

    /// Refuses a collection, because it could not be read again.
    @discardableResult
    static func checkHashed(_ value: Any) throws(ArchiveError) -> (kind: ValueClass?, object: NSObject) {
        let object = try ValueWriting.object(value)
        let kind = ValueClass.kind(of: object)
        if let kind, !kind.isScalar {
            throw ArchiveError(.inexpressible, "a collection can't be a key or stand in a set")
        }
        return (kind, object)
    }

    private enum Rank: Comparable {
        case bool(Bool)
        case integer(ArchiveInteger)
        case real(ArchiveReal)
        case date(ArchiveReal)
        case string(String)
        case uuid(String)
        case url(String)
        case data([UInt8])
        case other

        static func < (left: Rank, right: Rank) -> Bool {
            switch (left, right) {
            case (.bool(let left), .bool(let right)): !left && right
            case (.integer(let left), .integer(let right)): left < right
            case (.real(let left), .real(let right)), (.date(let left), .date(let right)): left < right
            case (.string(let left), .string(let right)), (.uuid(let left), .uuid(let right)),
                (.url(let left), .url(let right)):
                Self.precedes(left, right)
            case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
            default: left.group < right.group
            }
        }

        /// Orders texts that look alike and have different bytes, too.
        private static func precedes(_ left: String, _ right: String) -> Bool {
            left < right || (left == right && left.utf8.lexicographicallyPrecedes(right.utf8))
        }

        private var group: Int {
            switch self {
            case .bool: 0
            case .integer: 1
            case .real: 2
            case .date: 3
            case .string: 4
            case .uuid: 5
            case .url: 6
            case .data: 7
            case .other: 8
            }
        }
    }

    private static func rank(_ value: Any) throws(ArchiveError) -> Rank {
        if type(of: value) == String.self, let text = value as? String { return .string(text) }
        let (kind, object) = try checkHashed(value)
        guard let kind else { return .other }
        switch (kind, object) {
        case (.mutableString, let text as NSString): return .string(String(describing: text))
        case (.date, let date as NSDate):
            return ArchiveReal(date.timeIntervalSinceReferenceDate).map { .date($0) } ?? .other
        case (.uuid, let uuid as NSUUID): return .uuid(uuid.uuidString)
        case (.url, let url as NSURL): return .url(url.absoluteString)
        case (.mutableData, let data as NSData): return .data([UInt8](Data(referencing: data)))
        default:
            switch try kind.plainValue(of: object) {
            case .bool(let answer)?: return .bool(answer)
            case .integer(let integer)?: return .integer(integer)
            case .real(let real)?: return .real(real)
            case .string(let text)?: return .string(text)
            case .data(let bytes)?: return .data(bytes)
            default: return .other
            }
        }
    }
}
