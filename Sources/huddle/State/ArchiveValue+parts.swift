import SecureArchive
import Vocabulary

extension ArchiveValue {
    /// The number of values right below this one. For an object it is the number of the value that the object wraps.
    var partCount: Int {
        switch self {
        case .array(let elements): elements.count
        case .dictionary(let fields): fields.count
        case .tagged(_, let value): value.partCount
        default: 0
        }
    }

    /// One of the values right below this one; nil if the index is past the last.
    func part(_ index: Int) -> (step: ValueStep, value: ArchiveValue)? {
        switch self {
        case .array(let elements) where index < elements.count: (.index(index), elements[index])
        case .dictionary(let fields) where index < fields.count: (.key(fields[index].key), fields[index].value)
        case .tagged(_, let value): value.part(index)
        default: nil
        }
    }
}

/// One step down in a tree: the key or index at the beginning of its line.
enum ValueStep {
    case key(String)
    case index(Int)

    var words: String {
        switch self {
        case .key(let key): key.isEmpty ? "“”" : PrintableText(key).description
        case .index(let index): "[\(index)]"
        }
    }
}
