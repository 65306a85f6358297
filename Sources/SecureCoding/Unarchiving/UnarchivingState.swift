internal import Foundation
internal import SecureArchive
internal import Vocabulary

/// The state of an unarchiver: the object whose fields are being read, the list of the call, and the first error.
final class UnarchivingState {
    private(set) var failure: (any Error)?
    private let reader: ObjectReader
    private var lists: [ClassList] = []
    private var containers: [Container]
    private var table: ClassTable
    /// By the first class of each.
    private var known: [ObjectIdentifier: [ClassList]] = [:]
    private var listCount = 0

    init(_ graph: ObjectGraph, _ limits: ArchiveLimits, _ table: ClassTable) {
        reader = ObjectReader(graph, limits)
        containers = [Container(id: nil, fields: graph.top)]
        self.table = table
    }

    /// Keeps the first error.
    func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }

    // MARK: Lists

    func addName(_ name: ClassName, for type: AnyClass) {
        table.addName(name, for: type)
        known = [:]
    }

    /// The list of these classes: the same list for the same classes, so that its verdicts can be cached.
    func list(of types: [AnyClass]) -> ClassList {
        let first = types.first.map { ObjectIdentifier($0) } ?? ObjectIdentifier(NSNull.self)
        for list in known[first] ?? [] where list.types.elementsEqual(types, by: ==) { return list }
        // Numbers are never used again, even after names were added.
        listCount += 1
        let list = ClassList(types, number: listCount, table: table)
        known[first, default: []].append(list)
        return list
    }

    /// The list of the current call; without one, nothing is allowed.
    var currentList: ClassList { lists.last ?? list(of: []) }
    var currentTypes: [AnyClass]? { lists.last?.types }

    // MARK: Fields

    /// The value of a key of the current object.
    func value(forKey key: String) -> ArchiveValue? {
        containers.last?.value(forKey: key)
    }

    /// The next value without a key of its own, with the key in the archive.
    func nextValue() -> (value: ArchiveValue?, key: String) {
        guard let container = containers.last else { return (nil, "") }
        let key = container.nextKey()
        return (container.fields[key], key)
    }

    func path(_ key: String) -> String {
        containers.last?.spot(key).text ?? ""
    }

    func record(_ id: UInt32) throws(ArchiveError) -> ObjectGraph.Record {
        try reader.graph.record(id)
    }

    // MARK: Objects

    /// Decodes an object of a class from these fields.
    func initialize(
        _ type: any NSSecureCoding.Type,
        _ fields: Container,
        under list: ClassList,
        for coder: NSCoder,
        at spot: Spot
    ) throws -> NSObject {
        lists.append(list)
        containers.append(fields)
        defer {
            lists.removeLast()
            containers.removeLast()
        }
        let object = type.init(coder: coder)
        if let failure { throw failure }
        guard let object = object as? NSObject else {
            let words = "\(type) did not accept what the archive says"
            // The missing part may exist and only come later.
            throw ArchiveError(fields.later.isEmpty ? .damaged : .notAllowed, words, at: spot.text)
        }
        for (key, id, list) in fields.later {
            guard let holder = object as? any BackReferenceDecoding else { throw Self.circle(type, fields.spot(key)) }
            let reference = PendingReferences.Reference(
                holder: .init(object: holder, key: key),
                id: id,
                list: list,
                spot: fields.spot(key)
            )
            reader.add(reference)
        }
        return object
    }

    /// The object of a reference under a list; nil after an error. An object that is read by the current list belongs
    /// to its holder by that list.
    func object(
        _ value: ArchiveValue?,
        under list: ClassList,
        key: String,
        inherits: Bool,
        for coder: NSCoder
    ) -> NSObject? {
        guard failure == nil, let value, let container = containers.last else { return nil }
        do {
            guard case .reference(let id) = value else {
                throw ArchiveError(.damaged, "an object was expected, and \(value.kindText) is there")
            }
            let spot = container.spot(key)
            let answer = try reader.read(id, under: list, Requester(state: self, coder: coder), at: spot)
            if inherits, let parent = container.id { reader.inherit(id, by: parent) }
            switch answer {
            case .nothing: return nil
            case .object(let object):
                container.height = max(container.height, reader.height(of: id))
                return object
            case .later:
                guard let type = container.type, type is any BackReferenceDecoding.Type else {
                    throw Self.circle(container.type, spot)
                }
                container.postpone(key, id, under: list)
                return nil
            }
        } catch {
            fail((error as? ArchiveError)?.under(path(key)) ?? error)
            return nil
        }
    }

    /// The archive is sound, and may be from a game whose children refer to their parents: never damaged.
    private static func circle(_ type: (any NSSecureCoding.Type)?, _ spot: Spot) -> ArchiveError {
        let name = type.map { "\($0)" } ?? "a class"
        let words = "the object leads back to itself, and \(name) does not adopt BackReferenceDecoding"
        return ArchiveError(.notAllowed, words, at: spot.text)
    }

    /// A scalar; its zero after an error or for a missing key.
    func scalar<Value>(
        _ value: ArchiveValue?,
        key: String,
        zero: Value,
        _ read: (ArchiveValue) throws(Misfit) -> Value
    ) -> Value {
        guard failure == nil, var value else { return zero }
        do {
            // A number that was encoded as an object.
            if case .reference(let id) = value, case .plain(let inner) = try record(id) { value = inner }
            return try read(value)
        } catch {
            let words =
                switch error as? Misfit {
                case .kind?: "\(Value.self) was expected, and \(value.kindText) is there"
                case .size(let words)?: words
                case nil: (error as? ArchiveError)?.detail ?? "it can't be read"
                }
            fail(ArchiveError(.damaged, words, at: path(key)))
            return zero
        }
    }

    func bytes(forKey key: String) -> [UInt8]? {
        scalar(value(forKey: key), key: key, zero: nil) { value throws(Misfit) in
            guard case .data(let bytes) = value else { throw .kind }
            return bytes
        }
    }
}

/// The caller of an object: the state of the unarchiver, and the unarchiver itself, which classes get.
struct Requester {
    let state: UnarchivingState
    let coder: NSCoder

    func initialize(
        _ type: any NSSecureCoding.Type,
        _ fields: Container,
        under list: ClassList,
        at spot: Spot
    ) throws -> NSObject {
        try state.initialize(type, fields, under: list, for: coder, at: spot)
    }
}
