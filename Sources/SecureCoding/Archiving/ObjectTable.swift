internal import Foundation
internal import SecureArchive
internal import Vocabulary

/// The objects of the archive that is being written, with their numbers. Equal texts and numbers are one object, as
/// with Apple's archiver.
final class ObjectTable {
    private(set) var records: [ArchiveValue] = [.string("$null")]
    private var instances: [ObjectIdentifier: UInt32] = [:]
    /// Retained, because a new object at a freed address would be taken for the old one.
    private var kept: [NSObject] = []
    /// By their bytes: two ways to write an “é” are two texts.
    private var texts = LiteralStrings()
    private var textNumbers: [UInt32] = []
    private var integers: [ArchiveInteger: UInt32] = [:]
    private var reals: [ArchiveReal: UInt32] = [:]
    private var answers: [Bool: UInt32] = [:]
    private var classes: [[String]: UInt32] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func number(of object: NSObject) -> UInt32? {
        instances[ObjectIdentifier(object)]
    }

    /// A number for an object whose record follows.
    func reserve(for object: NSObject) throws(ArchiveError) -> UInt32 {
        let id = try add(.null)
        instances[ObjectIdentifier(object)] = id
        kept.append(object)
        return id
    }

    func fill(_ id: UInt32, _ fields: ArchiveFields) {
        records[Int(id)] = .dictionary(fields)
    }

    /// The number of a plain value.
    func plain(_ value: ArchiveValue) throws(ArchiveError) -> UInt32 {
        if case .string(let text) = value { return try number(of: text) }
        let next = UInt32(clamping: records.count)
        // One hash for both the lookup and the insertion.
        let known =
            switch value {
            case .integer(let integer): Self.read(&integers[integer, default: next])
            case .real(let real): Self.read(&reals[real, default: next])
            case .bool(let answer): Self.read(&answers[answer, default: next])
            default: next
            }
        return known == next ? try add(value) : known
    }

    private func number(of text: String) throws(ArchiveError) -> UInt32 {
        let (position, isNew) = texts.insert(text)
        guard isNew else { return textNumbers[position] }
        textNumbers.append(try add(.string(text)))
        return textNumbers[position]
    }

    private static func read(_ number: inout UInt32) -> UInt32 { number }

    /// The number of a class: its name, and those of its ancestors.
    func definition(_ chain: [String]) throws(ArchiveError) -> UInt32 {
        if let known = classes[chain] { return known }
        let id = try add(
            .dictionary(["$classname": .string(chain[0]), "$classes": .array(chain.map { .string($0) })])
        )
        classes[chain] = id
        return id
    }

    /// Adds an object that equals no other.
    func add(_ record: ArchiveValue) throws(ArchiveError) -> UInt32 {
        guard records.count < limit, let id = UInt32(exactly: records.count) else {
            throw ArchiveError(.tooLarge, "there are more than \(limit) objects")
        }
        records.append(record)
        return id
    }
}
