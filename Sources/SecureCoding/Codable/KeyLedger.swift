internal import SecureArchive
internal import Vocabulary

/// Which keys of one dictionary its type has named, so that one which it has not can be refused.
///
/// A type may name its keys in several lists, as a class and the class above it do; a key is known when one of them names it.
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
        throw place.refusal(.notAllowed, "the key “\(key)” is none that the type names")
    }
}
