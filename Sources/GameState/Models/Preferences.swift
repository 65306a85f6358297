public import SecureArchive

/// A domain of preferences: names and simple values, as in a property list of an app's settings.
public struct Preferences: StateModel {
    /// In the order in which they stand there.
    public var values: ArchiveFields = [:]

    /// Nothing is set.
    public init() {}

    /// Whatever keys there are.
    public static let table = FieldTable<Preferences>([.rest(\.values)])

    /// Only what a property list can say is a preference.
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
