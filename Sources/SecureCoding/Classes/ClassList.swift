internal import Foundation
internal import SecureArchive

/// The classes that one call allows, prepared for comparing names.
final class ClassList {
    /// The reason why the list has no class for a name.
    enum Refusal: Error {
        case notListed
        /// Two classes of the list have this name.
        case ambiguous
        /// The class is listed, but has no safe coding.
        case notSecure(String)
    }

    enum Answer {
        case value(ValueClass)
        case object(any NSSecureCoding.Type)
    }

    /// The classes as the caller passed them.
    let types: [AnyClass]
    /// Distinguishes the lists of one unarchiver.
    let number: Int
    private(set) var values: ValueClasses = []
    private var answers: [String: (name: String, result: Result<Answer, Refusal>)] = [:]

    init(_ types: [AnyClass], number: Int, table: ClassTable) {
        self.types = types
        self.number = number
        for type in types.flatMap({ table.candidates(for: $0) }) {
            if let value = ValueClass.byType[ObjectIdentifier(type)] {
                values.formUnion(value.forms)
            } else {
                add(type, table, among: types)
            }
        }
    }

    /// The class for a name. A name outside of the list means nothing, even if a class has it.
    func answer(_ name: String) throws(Refusal) -> Answer {
        if let value = ValueClass.byName[name] {
            guard values.contains(value) else { throw .notListed }
            return .value(value)
        }
        // Exactly: Swift also finds a name that is spelled with other bytes.
        guard let answer = answers[name], answer.name.isLiterally(name) else { throw .notListed }
        return try answer.result.get()
    }

    private func add(_ type: AnyClass, _ table: ClassTable, among types: [AnyClass]) {
        let answer = Self.answer(for: type, among: types)
        for name in table.readNames(of: type) {
            if let known = answers[name]?.result, !Self.isSame(known, type) {
                answers[name] = (name, .failure(.ambiguous))
            } else {
                answers[name] = (name, answer)
            }
        }
    }

    /// A class may have another one made in its place, if the list names that one, too.
    private static func answer(for type: AnyClass, among types: [AnyClass]) -> Result<Answer, Refusal> {
        guard let made = (type as? NSObject.Type)?.classForKeyedUnarchiver(), made != type else {
            return answer(for: type)
        }
        guard types.contains(where: { $0 == made }) else {
            return .failure(.notSecure("is to be made as \(made), which is not allowed here"))
        }
        return answer(for: made)
    }

    private static func isSame(_ answer: Result<Answer, Refusal>, _ type: AnyClass) -> Bool {
        guard case .success(.object(let known)) = answer, let known = known as? AnyClass else { return false }
        return known == type
    }

    private static func answer(for type: AnyClass) -> Result<Answer, Refusal> {
        guard let secure = type as? any NSSecureCoding.Type, secure.supportsSecureCoding else {
            return .failure(.notSecure("does not support secure coding"))
        }
        if let words = FoundationClass.reasonAgainst(type) { return .failure(.notSecure(words)) }
        return .success(.object(secure))
    }
}

/// Foundation's own coding is never used. With another coder than Foundation's it often traps (seen with Swift 6.3.1),
/// and Foundation's own coder is the one that this module replaces.
enum FoundationClass {
    /// The reason why a class can be neither read nor written; nil if it can.
    static func reasonAgainst(_ type: AnyClass) -> String? {
        if type == NSObject.self { return "stands for every class" }
        if isFoundations(type) { return "is of Foundation, whose own coding is not used here" }
        var above: AnyClass? = superclass(of: type)
        while let current = above, current != NSObject.self {
            if isFoundations(current) {
                return "is made from Foundation's \(current), whose own coding is not used here"
            }
            above = superclass(of: current)
        }
        return nil
    }

    static func isFoundations(_ type: AnyClass) -> Bool {
        String(reflecting: type).hasPrefix("Foundation.")
    }

    static func superclass(of type: AnyClass) -> AnyClass? {
        _getSuperclass(type)
    }
}
