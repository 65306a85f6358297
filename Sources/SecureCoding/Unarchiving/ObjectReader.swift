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
    private var openCount = 0
    /// By number.
    private var instances: [Instance]
    /// What a class of the code has read under the list that it was read under itself.
    private var inherited: [UInt32: [UInt32]] = [:]
    /// Lists besides the one that an object was made under that allow it with all that it holds by them.
    private var passed: Set<Verdict> = []

    private struct Instance {
        var object: NSObject?
        /// The number of the list that it was made under.
        var list = 0
        var isOpen = false
    }

    private struct Verdict: Hashable {
        let id: UInt32
        let list: Int
    }

    init(_ graph: ObjectGraph, depth: Int) {
        self.graph = graph
        self.depth = min(depth, Self.greatestDepth)
        instances = Array(repeating: Instance(), count: graph.count)
    }

    /// Takes down that an object holds another by the list that it was made under.
    func inherit(_ child: UInt32, by parent: UInt32) {
        inherited[parent, default: []].append(child)
    }

    /// The object of this number, or nil where the archive says that there is none.
    func object(_ id: UInt32, under list: ClassList, _ requester: Requester, at spot: Spot) throws -> NSObject? {
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
        try open(id, spot)
        defer { close(id) }
        let object = try make(id, form, under: list, requester, at: spot)
        instances[Int(id)].object = object
        instances[Int(id)].list = list.number
        return object
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
        guard openCount < depth else {
            throw ArchiveError(.tooLarge, "objects lie in each other deeper than \(depth)", at: spot.text)
        }
        guard !instances[Int(id)].isOpen else {
            // A sound archive of a game whose children name their parents: no object can be handed
            // out that is not whole yet, and the file has nothing that an older version of it would
            // not have.
            throw ArchiveError(
                .notAllowed,
                "objects that hold themselves are not read",
                at: spot.text
            )
        }
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

    /// Looks again at an object that exists, with another list.
    private func check(_ id: UInt32, _ form: Form, under list: ClassList, at spot: Spot) throws(ArchiveError) {
        if case .plain = form { return }
        let verdict = Verdict(id: id, list: list.number)
        guard passed.insert(verdict).inserted else { return }
        do throws(ArchiveError) {
            let held: (key: String, ids: [UInt32]) =
                switch form {
                case .value(let kind, let fields, _): ("contents", try ValueForm(kind, fields, id).references)
                default: ("contents", inherited[id] ?? [])
                }
            for (index, child) in held.ids.enumerated() {
                let below = Spot(id: id, key: held.key, index: index)
                do throws(ArchiveError) {
                    guard let inner = try self.form(child, under: list) else { continue }
                    try check(child, inner, under: list, at: below)
                } catch {
                    throw error.under(below.text)
                }
            }
        } catch {
            passed.remove(verdict)
            throw error
        }
    }

    // MARK: Making

    private func make(
        _ id: UInt32,
        _ form: Form,
        under list: ClassList,
        _ requester: Requester,
        at spot: Spot
    ) throws -> NSObject {
        switch form {
        case .plain(let value): return value.plainObject
        case .value(let kind, let fields, let mayLack):
            return try ValueForm(kind, fields, id).object { child, spot in
                if let object = try self.object(child, under: list, requester, at: spot) { return object }
                guard mayLack, list.values.contains(.null) else {
                    throw ArchiveError(.damaged, "nothing stands where an object has to", at: spot.text)
                }
                return NSNull()
            } part: { child, spot in
                let parts = requester.state.list(of: [NSURL.self, NSString.self])
                return try self.object(child, under: parts, requester, at: spot)
            }
        case .object(let type, let fields):
            return try requester.initialize(type, Container(id: id, fields: fields), under: list, at: spot)
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
