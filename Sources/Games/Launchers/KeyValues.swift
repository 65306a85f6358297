/// Valve's text format of keys and values, for example `libraryfolders.vdf` and `appmanifest_ID.acf`.
///
/// A cut file yields the fields before the cut. Size, depth and count are bounded.
package indirect enum KeyValues: Sendable, Hashable {
    case text(String)
    case block([Field])

    package struct Field: Sendable, Hashable {
        let key: String
        let value: KeyValues
    }

    /// The value of a key, without regard to case, as Steam reads it; the first one if there are several.
    subscript(key: String) -> KeyValues? {
        guard case .block(let fields) = self else { return nil }
        let wanted = key.lowercased()
        return fields.first { $0.key.lowercased() == wanted }?.value
    }

    var fields: [Field] { if case .block(let fields) = self { fields } else { [] } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The text of a key.
    func text(_ key: String) -> String? { self[key]?.text }
}
