internal import SecureArchive
internal import Vocabulary

/// The keys of one dictionary that its type has named, so that the others can be refused.
///
/// A type may name its keys in several lists, as a class and its superclass do; a key is known if any list has it.
final class KeyLedger {
    let place: Place
    private let fields: ArchiveFields
    private var isNamed: [Bool]

    init(_ fields: ArchiveFields, _ place: Place) {
        self.fields = fields
        self.place = place
        isNamed = Array(repeating: false, count: fields.count)
    }

    func name(where isKnown: (String) -> Bool) {
        for (position, key) in fields.keys.enumerated() where !isNamed[position] {
            isNamed[position] = isKnown(key)
        }
    }

    func check() throws {
        guard let position = isNamed.firstIndex(of: false) else { return }
        let key = PrintableText(fields.keys[position], limit: 80)
        throw place.refusal(.notAllowed, "the type does not name the key “\(key)”")
    }
}
