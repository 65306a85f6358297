internal import Vocabulary

/// The path to a value: the last key and the path before it. Arrays of keys are made only on request: a decoder makes a
/// million steps, and only an error needs their keys.
final class CodingTrail {
    private let before: CodingTrail?
    private let last: (any CodingKey)?
    /// The count of keys.
    let depth: Int
    /// The count of steps, with those of a type that decodes itself from the same value.
    let length: Int

    /// A step without a key: the same value again, as another type.
    init(_ before: CodingTrail?, _ last: (any CodingKey)?) {
        self.before = before
        self.last = last
        depth = (before?.depth ?? 0) + (last == nil ? 0 : 1)
        length = (before?.length ?? 0) + 1
    }

    var keys: [any CodingKey] {
        var found: [any CodingKey] = []
        var step: CodingTrail? = self
        while let current = step {
            if let key = current.last { found.append(key) }
            step = current.before
        }
        return found.reversed()
    }
}

extension Optional where Wrapped == CodingTrail {
    var keys: [any CodingKey] { self?.keys ?? [] }
    var depth: Int { self?.depth ?? 0 }
    var length: Int { self?.length ?? 0 }
}

/// The path as this module spells it, such as `people[0].height`, fit to print.
func pathText(_ keys: [any CodingKey]) -> String {
    var text = ""
    for key in keys {
        if let index = key.intValue, key is PlaceKey {
            text += "[\(index)]"
        } else {
            text += (text.isEmpty ? "" : ".") + "\(PrintableText(key.stringValue, limit: 80))"
        }
    }
    return text
}

/// A key without a type: an index of an array, or the part of a value that belongs to the superclass.
enum PlaceKey: CodingKey {
    case index(Int)
    case name(String)

    init(_ index: Int) {
        self = .index(index)
    }

    init(stringValue: String) {
        self = .name(stringValue)
    }

    init(intValue: Int) {
        self = .index(intValue)
    }

    // The text is made only on request, because arrays are long.
    var stringValue: String {
        switch self {
        case .index(let index): "Index \(index)"
        case .name(let name): name
        }
    }

    var intValue: Int? {
        guard case .index(let index) = self else { return nil }
        return index
    }

    static let above = PlaceKey.name("super")
}
