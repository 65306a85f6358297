internal import Foundation
internal import SecureArchive
internal import Vocabulary

/// Makes the objects of one archive, each once, and only if the list of the call names its class.
///
/// The verdict on an object is valid for one list. Another list checks an existing object again, with everything it
/// contains by that list.
final class ObjectReader {
    /// An object is made by the object that contains it. So many take less than 128 KiB of stack in a release build and
    /// 448 KiB in a debug build (seen with Swift 6.3.1), besides the stack of the classes, and threads with 512 KiB are
    /// common.
    static let greatestDepth = 72

    let graph: ObjectGraph
    private let depth: Int
    private let mostValues: Int
    private var openCount = 0
    /// By number.
    private var instances: [Instance]
    /// The objects that a class has read by the list under which it was read itself.
    private var inherited: [UInt32: [UInt32]] = [:]
    /// Further lists that allow an object with everything it contains by them.
    private var passed: Set<Verdict> = []
    private var pending = PendingReferences()
    /// The object that each of these collections waits for.
    private var blocked: [UInt32: UInt32] = [:]

    private struct Instance {
        var object: NSObject?
        /// The number of the list under which it was made.
        var list = 0
        var isOpen = false
        var measure = Measure()
    }

    /// The size of an object at each place. The survey of the archive does not count the parts that it cut out of a
    /// circle.
    private struct Measure {
        /// The count of objects within each other, with this one; 0 for texts and numbers.
        var height = 0
        /// The count of values if each place of a collection had its own.
        var values = 1

        mutating func add(_ held: Measure) {
            height = max(height, held.height + 1)
            values += held.values
        }
    }

    private struct Verdict: Hashable {
        let id: UInt32
        let list: Int
    }

    init(_ graph: ObjectGraph, _ limits: ArchiveLimits) {
        self.graph = graph
        depth = min(limits.depth, Self.greatestDepth)
        mostValues = limits.values
        instances = Array(repeating: Instance(), count: graph.count)
    }

    /// Records that an object holds another by the list that it was made under.
    func inherit(_ child: UInt32, by parent: UInt32) {
        inherited[parent, default: []].append(child)
    }

    /// The answer to a call for an object.
    enum Answer {
        /// The archive says that there is no object.
        case nothing
        case object(NSObject)
        /// The object leads back to one that is still being read.
        case later
    }

    /// Reads an object for a call of the coder. The outermost call also settles what had to wait.
    func read(_ id: UInt32, under list: ClassList, _ requester: Requester, at spot: Spot) throws -> Answer {
        let isOutermost = openCount == 0
        defer { if isOutermost { (pending, blocked) = (PendingReferences(), [:]) } }
        do {
            let found = try object(id, under: list, requester, at: spot)
            if isOutermost { try settle(requester) }
            return found.map { .object($0) } ?? .nothing
        } catch is Unready {
            if isOutermost { throw Self.collectionCircle(spot) }
            return .later
        }
    }

    /// The count of objects within each other at an object.
    func height(of id: UInt32) -> Int { instances[Int(id)].measure.height }

    /// Foundation on Linux converts a collection that it returns into Swift's, with all collections within. In a circle
    /// that exhausts the stack.
    private static func collectionCircle(_ spot: Spot) -> ArchiveError {
        ArchiveError(.notAllowed, "collections that hold each other in a circle are not read", at: spot.text)
    }

    /// Hands an object over to the field of another once it exists.
    func add(_ reference: PendingReferences.Reference) {
        pending.references.append(reference)
    }

    private func settle(_ requester: Requester) throws {
        var ready: [(PendingReferences.Holder, NSObject)] = []
        // Objects that are made here may add further references.
        while ready.count < pending.references.count {
            let next = pending.references[ready.count]
            do {
                guard let found = try object(next.id, under: next.list, requester, at: next.spot) else {
                    throw ArchiveError(.damaged, "an object is missing", at: next.spot.text)
                }
                ready.append((next.holder, found))
            } catch is Unready {
                throw Self.collectionCircle(next.spot)
            }
        }
        for check in pending.checks {
            passed.remove(Verdict(id: check.id, list: check.list.number))
            if let form = try form(check.id, under: check.list) {
                try self.check(check.id, form, under: check.list, at: check.spot)
            }
        }
        for (holder, object) in ready { holder.take(object) }
    }

    /// The object of a number; nil if the archive says that there is none.
    /// - Throws: ``Unready`` if the object is being read already, or needs one that is
    private func object(_ id: UInt32, under list: ClassList, _ requester: Requester, at spot: Spot) throws -> NSObject?
    {
        if let value = graph.plainValue(id) { return try plainObject(value, id, under: list, at: spot) }
        let form: Form
        do throws(ArchiveError) {
            guard let found = try self.form(id, under: list) else { return nil }
            form = found
        } catch {
            throw error.under(spot.text)
        }
        if let known = instances[Int(id)].object {
            if instances[Int(id)].list != list.number { try check(id, form, under: list, at: spot) }
            return known
        }
        if instances[Int(id)].isOpen { throw Unready(id: id) }
        // Without this, each of many objects that share a large array would read it in vain.
        if let other = blocked[id], instances[Int(other)].isOpen { throw Unready(id: other) }
        try open(id, spot)
        defer { close(id) }
        let (object, measure): (NSObject, Measure)
        do {
            (object, measure) = try make(id, form, under: list, requester, at: spot)
        } catch let unready as Unready {
            blocked[id] = unready.id
            throw unready
        }
        guard measure.height <= depth else { throw tooDeep(spot) }
        guard measure.values <= mostValues else {
            throw ArchiveError(.tooLarge, "a collection holds more than \(mostValues) values", at: spot.text)
        }
        instances[Int(id)].object = object
        instances[Int(id)].list = list.number
        instances[Int(id)].measure = measure
        return object
    }

    private func tooDeep(_ spot: Spot) -> ArchiveError {
        ArchiveError(.tooLarge, "objects are within each other deeper than \(depth)", at: spot.text)
    }

    /// The object of a plain value. It contains no others, so only its own class is checked.
    private func plainObject(
        _ value: ArchiveValue,
        _ id: UInt32,
        under list: ClassList,
        at spot: Spot
    ) throws(ArchiveError) -> NSObject {
        let kind = value.plainClass
        guard list.values.contains(kind) else { throw notAllowed(kind.name).under(spot.text) }
        if let known = instances[Int(id)].object { return known }
        let object = value.plainObject
        instances[Int(id)].object = object
        return object
    }

    private func open(_ id: UInt32, _ spot: Spot) throws(ArchiveError) {
        guard openCount < depth else { throw tooDeep(spot) }
        instances[Int(id)].isOpen = true
        openCount += 1
    }

    private func close(_ id: UInt32) {
        instances[Int(id)].isOpen = false
        openCount -= 1
    }

    // MARK: Classes

    private enum Form {
        case plain(ArchiveValue)
        case value(ValueClass, ArchiveFields, mayMissKeys: Bool)
        case object(any NSSecureCoding.Type, ArchiveFields)
    }

    /// The form of an object, if the list allows it.
    private func form(_ id: UInt32, under list: ClassList) throws(ArchiveError) -> Form? {
        switch try graph.record(id) {
        case .nothing: return nil
        case .plain(let value):
            let kind = value.plainClass
            guard list.values.contains(kind) else { throw notAllowed(kind.name) }
            return .plain(value)
        case .object(let definition, let fields):
            let name = definition.name.description
            do throws(ClassList.Refusal) {
                switch try list.answer(name) {
                // Python's bpylist2 writes no ancestors, and number 0 for an element that is nothing.
                case .value(let kind): return .value(kind, fields, mayMissKeys: definition.chain.count == 1)
                case .object(let type): return .object(type, fields)
                }
            } catch {
                throw notAllowed(name, error)
            }
        }
    }

    private func notAllowed(_ name: String, _ refusal: ClassList.Refusal = .notListed) -> ArchiveError {
        let shown = PrintableText(name, limit: 80)
        return switch refusal {
        case .notListed: ArchiveError(.notAllowed, "class \(shown) is not allowed here")
        case .ambiguous: ArchiveError(.notAllowed, "two of the classes allowed here are called \(shown)")
        case .notSecure(let words): ArchiveError(.notAllowed, "class \(shown) \(words)")
        }
    }

    /// Checks an existing object by another list, with everything it contains by that list.
    ///
    /// It works without recursion: objects that lead back to themselves can form chains of any length.
    private func check(_ id: UInt32, _ form: Form, under list: ClassList, at spot: Spot) throws(ArchiveError) {
        var open = [(id: id, form: form, spot: spot)]
        while let (id, form, spot) = open.popLast() {
            if case .plain = form { continue }
            guard passed.insert(Verdict(id: id, list: list.number)).inserted else { continue }
            let held: (key: String, ids: [UInt32])
            switch form {
            case .value(let kind, let fields, _): held = ("contents", try ValueForm(kind, fields, id).references)
            default:
                held = ("contents", inherited[id] ?? [])
                // Its class may still ask for more objects.
                if instances[Int(id)].object == nil {
                    pending.checks.append(PendingReferences.Check(id: id, list: list, spot: spot))
                }
            }
            for (index, child) in held.ids.enumerated() {
                let below = Spot(id: id, key: held.key, index: index)
                do throws(ArchiveError) {
                    if let inner = try self.form(child, under: list) { open.append((child, inner, below)) }
                } catch {
                    throw error.under(below.text)
                }
            }
        }
    }

    // MARK: Making

    private func make(
        _ id: UInt32,
        _ form: Form,
        under list: ClassList,
        _ requester: Requester,
        at spot: Spot
    ) throws -> (NSObject, Measure) {
        var measure = Measure(height: 1)
        switch form {
        case .plain(let value): return (value.plainObject, Measure())
        case .value(let kind, let fields, let mayMissKeys):
            let object = try ValueForm(kind, fields, id).object { child, spot in
                if let object = try self.object(child, under: list, requester, at: spot) {
                    measure.add(instances[Int(child)].measure)
                    return object
                }
                guard mayMissKeys, list.values.contains(.null) else {
                    throw ArchiveError(.damaged, "an object is missing", at: spot.text)
                }
                measure.values += 1
                return NSNull()
            } part: { child, spot in
                let parts = requester.state.list(of: [NSURL.self, NSString.self])
                return try self.object(child, under: parts, requester, at: spot)
            }
            return (object, measure)
        case .object(let type, let fields):
            let container = Container(id: id, fields: fields, type)
            let object = try requester.initialize(type, container, under: list, at: spot)
            measure.height += container.height
            return (object, measure)
        }
    }
}

extension ArchiveError {
    /// The same error at this place, unless it has a closer one.
    func under(_ place: @autoclosure () -> String) -> ArchiveError {
        path.isEmpty ? ArchiveError(kind, detail, at: place(), offset: offset) : self
    }
}

extension ArchiveValue {
    /// The value class of a plain value.
    fileprivate var plainClass: ValueClass {
        switch self {
        case .string: .string
        case .data: .data
        case .date: .date
        default: .number
        }
    }

    fileprivate var plainObject: NSObject {
        switch self {
        case .string(let text): NSString(string: text)
        case .data(let bytes): NSData(data: Data(bytes))
        case .date(let date): NSDate(timeIntervalSinceReferenceDate: date.secondsSince2001)
        default: numberObject ?? NSNull()
        }
    }

    /// The number as an `NSNumber` of the same kind, as far as it has kinds: see ``NumberKind``.
    var numberObject: NSNumber? {
        switch self {
        case .bool(let answer): NSNumber(value: answer)
        case .integer(let integer):
            integer.value(as: Int.self).map { NSNumber(value: $0) }
                ?? integer.value(as: UInt64.self).map { NSNumber(value: $0) }
        case .real(let real): NSNumber(value: real.value)
        default: nil
        }
    }
}
