internal import Foundation
internal import SecureArchive
internal import Vocabulary

/// Makes the objects of one archive, each once, and each only where the list of the call that asks for it names its class.
///
/// The verdict on an object holds for one list and is never carried over to another: an object that exists already is looked at again, with all
/// that it holds by that list.
final class ObjectReader {
    /// An object is made by the object that holds it. So many take less than 128 KiB of stack in a release build and 448 KiB in a debug build (seen with
    /// Swift 6.3.1), besides what the classes take, and threads with 512 KiB are common.
    static let greatestDepth = 72

    let graph: ObjectGraph
    private let depth: Int
    private let mostValues: Int
    private var openCount = 0
    /// By number.
    private var instances: [Instance]
    /// What a class of the code has read under the list that it was read under itself.
    private var inherited: [UInt32: [UInt32]] = [:]
    /// Lists besides the one that an object was made under that allow it with all that it holds by them.
    private var passed: Set<Verdict> = []
    private var pending = PendingReferences()
    /// The object that each of these collections waits for.
    private var blocked: [UInt32: UInt32] = [:]

    private struct Instance {
        var object: NSObject?
        /// The number of the list that it was made under.
        var list = 0
        var isOpen = false
        var measure = Measure()
    }

    /// How large an object is where it is held. The survey of the archive does not count what it cut out of a circle.
    private struct Measure {
        /// How many objects stand in each other, this one included; 0 for texts and numbers.
        var height = 0
        /// How many values a collection is if all collections in it are written out.
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

    /// How many objects stand in each other at this one.
    func height(of id: UInt32) -> Int { instances[Int(id)].measure.height }

    /// Foundation on Linux turns collections that it hands out into Swift's, with all collections in them. In a
    /// circle that ends the stack.
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

    /// The object of this number, or nil if the archive says that there is none.
    /// - Throws: ``Unready`` if it is being read already, or needs an object that is
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
        // Without this, each of many objects that share a large array would walk over it in vain.
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
        ArchiveError(.tooLarge, "objects lie in each other deeper than \(depth)", at: spot.text)
    }

    /// The object of a value that stands for itself. It holds nothing, so that only its own class is asked about.
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
        case value(ValueClass, ArchiveFields, mayLack: Bool)
        case object(any NSSecureCoding.Type, ArchiveFields)
    }

    /// What the object is to become, if the list allows it.
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
                // Python's bpylist2 names no ancestors, and says with number 0 that an element is nothing.
                case .value(let kind): return .value(kind, fields, mayLack: definition.chain.count == 1)
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

    /// Looks again at an object that exists, with another list, and at all that it holds by that list.
    ///
    /// Without recursion: objects that lead back to themselves can be strung together to any length.
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
                // Its class may still ask for more.
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
        case .value(let kind, let fields, let mayLack):
            let object = try ValueForm(kind, fields, id).object { child, spot in
                if let object = try self.object(child, under: list, requester, at: spot) {
                    measure.add(instances[Int(child)].measure)
                    return object
                }
                guard mayLack, list.values.contains(.null) else {
                    throw ArchiveError(.damaged, "nothing stands where an object has to", at: spot.text)
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
    /// The same, said of this place unless it has a closer one.
    func under(_ place: @autoclosure () -> String) -> ArchiveError {
        path.isEmpty ? ArchiveError(kind, detail, at: place(), offset: offset) : self
    }
}

extension ArchiveValue {
    /// What a value that stands for itself is an instance of.
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

    /// Numbers keep their kind in `NSNumber`, as far as it has kinds: see ``NumberKind``.
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
