public import SecureArchive

/// A domain of preferences: names and simple values, as in a property list of an app's settings.
public struct Preferences: StateModel {
    /// The values in the order of the file.
    public var values: ArchiveFields = [:]

    /// A domain without values.
    public init() {}

    /// All keys.
    public static let table = FieldTable<Preferences>([.rest(\.values)])

    /// Values that a property list can't contain are no preferences.
    public var impossibilities: [StateError] {
        values.flatMap { key, value in value.unpreferable(at: StatePath([.key(key)])) }
    }
}

extension ArchiveValue {
    fileprivate func unpreferable(at path: StatePath) -> [StateError] {
        switch self {
        case .bool, .integer, .real, .string, .data, .date: []
        case .array(let elements):
            elements.enumerated().flatMap { $1.unpreferable(at: path.appending(.index($0))) }
        case .dictionary(let fields): fields.flatMap { $1.unpreferable(at: path.appending(.key($0))) }
        case .null, .reference, .tagged: [StateError(.impossible, "\(kindInWords) is no preference", at: path)]
        }
    }
}
