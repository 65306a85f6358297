import SecureArchive
import Vocabulary

extension ArchiveValue {
    /// How many values stand right below. What stands below an object is what stands below that which it says.
    var partCount: Int {
        switch self {
        case .array(let elements): elements.count
        case .dictionary(let fields): fields.count
        case .tagged(_, let value): value.partCount
        default: 0
        }
    }

    /// One of them; nil where there are fewer.
    func part(_ index: Int) -> (step: ValueStep, value: ArchiveValue)? {
        switch self {
        case .array(let elements) where index < elements.count: (.index(index), elements[index])
        case .dictionary(let fields) where index < fields.count: (.key(fields[index].key), fields[index].value)
        case .tagged(_, let value): value.part(index)
        default: nil
        }
    }
}

/// One step down, as a line of a tree begins.
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
