internal import Foundation
internal import SecureArchive
internal import Vocabulary

/// The state of an archiver: the object whose fields are being written, the objects so far, and the first error.
final class ArchivingState {
    private(set) var failure: (any Error)?
    let table: ObjectTable
    var names: ClassTable
    private var places: [WritingPlace] = [WritingPlace(id: nil)]
    private var inWriting: Set<UInt32> = []
    private var kinds: [ObjectIdentifier: ValueClass?] = [:]
    /// Objects that replace others, retained so that no other object gets their address.
    private var replacements: Set<ObjectIdentifier> = []
    private var kept: [NSObject] = []
    private var chains: [ObjectIdentifier: [String]] = [:]
    private let depth: Int

    init(limits: ArchiveLimits, _ names: ClassTable) {
        table = ObjectTable(limit: limits.values)
        self.names = names
        depth = min(limits.depth, ObjectReader.greatestDepth)
    }

    /// The keyed archive as a tree, with references.
    func tree() throws -> ArchiveValue {
        if let failure { throw failure }
        return .dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$objects": .array(table.records),
            "$top": .dictionary(places[0].fields), "$version": .integer(100_000),
        ])
    }

    /// Keeps the first error.
    func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }

    // MARK: Fields

    func put(_ value: ArchiveValue, forKey key: String) {
        places[places.count - 1].put(value, forKey: key)
    }

    func putNext(_ value: ArchiveValue) {
        places[places.count - 1].putNext(value)
    }

    func path(_ key: String) -> String {
        places[places.count - 1].path(key)
    }

    /// Runs code that may fail, unless something failed before.
    func attempt(at key: String, _ body: () throws -> Void) {
        guard failure == nil else { return }
        do {
            try body()
        } catch {
            fail((error as? ArchiveError)?.under(path(key)) ?? error)
        }
    }

    // MARK: Objects

    /// The reference to an object of any class.
    func reference(to value: Any?, for coder: NSCoder) throws -> ArchiveValue {
        guard let value else { return .reference(0) }
        return .reference(try number(of: value, for: coder))
    }

    /// The reference to an object that was written before; 0 for any other.
    func conditionalReference(to value: Any?) throws(ArchiveError) -> ArchiveValue {
        guard let object = value.map({ $0 as AnyObject }) as? NSObject, let id = table.number(of: object) else {
            return .reference(0)
        }
        try checkCircle(object, id)
        return .reference(id)
    }

    /// Refuses a circle that ``SecureUnarchiver`` could not read: the class nearest to where it closes must adopt
    /// ``BackReferenceDecoding``.
    private func checkCircle(_ object: NSObject, _ id: UInt32) throws(ArchiveError) {
        guard inWriting.contains(id) else { return }
        let circle = places.reversed().prefix { $0.id != id } + places.filter { $0.id == id }
        if circle.lazy.compactMap(\.receivesBackReferences).first == true { return }
        throw ArchiveError(
            .inexpressible,
            "an object of \(type(of: object)) would hold itself, and its holder does not adopt BackReferenceDecoding"
        )
    }

    private func number(of value: Any, for coder: NSCoder) throws -> UInt32 {
        // Foundation's collections return their texts as Swift's.
        if type(of: value) == String.self, let text = value as? String { return try table.plain(.string(text)) }
        return try number(of: ValueWriting.object(value), for: coder)
    }

    private func number(of object: NSObject, for coder: NSCoder) throws -> UInt32 {
        let kind = self.kind(of: object)
        if let kind, let plain = try kind.plainValue(of: object) { return try table.plain(plain) }
        if let id = table.number(of: object) {
            try checkCircle(object, id)
            return id
        }
        if kind == nil, let number = try numberOfReplacement(of: object, for: coder) { return number }
        guard inWriting.count < depth else {
            throw ArchiveError(.tooLarge, "objects are within each other deeper than \(depth)")
        }
        let id = try table.reserve(for: object)
        inWriting.insert(id)
        defer { inWriting.remove(id) }
        places.append(
            WritingPlace(id: id, receivesBackReferences: kind == nil ? object is any BackReferenceDecoding : nil)
        )
        defer { places.removeLast() }
        let chain: [String]
        if let kind {
            chain = kind.chain
            try ValueWriting(kind, object).write {
                try number(of: $0, for: coder)
            } put: {
                put($1, forKey: $0)
            }
        } else {
            chain = try self.chain(of: object)
            (object as? any NSSecureCoding)?.encode(with: coder)
            if let failure { throw failure }
        }
        put(.reference(try table.definition(chain)), ofArchive: "$class")
        table.fill(id, places[places.count - 1].fields)
        return id
    }

    /// The number of the object that is to be written in place of another; nil to write the object itself.
    private func numberOfReplacement(of object: NSObject, for coder: NSCoder) throws -> UInt32? {
        guard !replacements.contains(ObjectIdentifier(object)) else { return nil }
        guard let other = object.replacementObject(for: coder) else { return 0 }
        guard let other = other as AnyObject as? NSObject, other !== object else { return nil }
        // The replacement is not asked for another one, so two objects that replace each other end.
        replacements.insert(ObjectIdentifier(other))
        kept.append(other)
        return try number(of: other, for: coder)
    }

    private func put(_ value: ArchiveValue, ofArchive key: String) {
        places[places.count - 1].put(value, ofArchive: key)
    }

    /// The value class of an object, found once for each class.
    private func kind(of object: NSObject) -> ValueClass? {
        let type = ObjectIdentifier(type(of: object))
        if let known = kinds[type] { return known }
        let kind = ValueClass.kind(of: object)
        kinds[type] = .some(kind)
        return kind
    }

    /// Values of one C type in an object of their own.
    func row(_ fields: ArchiveFields) throws(ArchiveError) -> ArchiveValue {
        var fields = fields
        fields["$class"] = .reference(try table.definition([OldStyleArray.className, "NSObject"]))
        return .reference(try table.add(.dictionary(fields)))
    }

    /// The names of an object's class and its ancestors.
    private func chain(of object: NSObject) throws(ArchiveError) -> [String] {
        let instances: AnyClass = object.classForKeyedArchiver ?? type(of: object)
        if let known = chains[ObjectIdentifier(instances)] { return known }
        guard String(describing: instances) != "__SwiftValue" else {
            throw ArchiveError(
                .inexpressible,
                "a Swift value has no class that archives know; make it a class with NSSecureCoding"
            )
        }
        guard let secure = instances as? any NSSecureCoding.Type, secure.supportsSecureCoding else {
            throw ArchiveError(.notAllowed, "class \(instances) does not support secure coding")
        }
        if let words = FoundationClass.reasonAgainst(instances) {
            throw ArchiveError(.notAllowed, "class \(instances) \(words)")
        }
        var chain: [String] = []
        var current: AnyClass? = instances
        while let type = current {
            guard let name = names.writtenName(of: type) else {
                throw ArchiveError(.inexpressible, "class \(type) has no name that can be written; give it one")
            }
            guard ValueClass.byName[name.description] == nil else {
                throw ArchiveError(.inexpressible, "class \(type) can't be written as \(name), which means another")
            }
            chain.append(name.description)
            current = FoundationClass.superclass(of: type)
        }
        chains[ObjectIdentifier(instances)] = chain
        return chain
    }

    /// Writes a class under another name from now on.
    func setName(_ name: ClassName, for type: AnyClass) {
        names.setName(name, for: type)
        chains = [:]
    }
}
