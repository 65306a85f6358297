public import SecureArchive

/// A game's state as a type, read from trees and written into them by one table of its fields.
///
/// ```swift
/// struct Hero: StateModel {
///     var name = ""
///     var level = 1
///
///     static let table = FieldTable<Hero>([
///         .required("heroName", \.name, .text),
///         .defaulting("level", \.level, .integer, alsoCalled: ["lvl"]),
///     ])
/// }
///
/// let hero = try Hero(reading: tree, .tolerant)
/// ```
public protocol StateModel: Sendable, Equatable {
    /// Creates a model with defaults, for the table to fill.
    init()

    /// The fields of the model.
    static var table: FieldTable<Self> { get }

    /// The contradictions in the model, such as a game that both players have won. Their paths are relative to it.
    var impossibilities: [StateError] { get }
}

extension StateModel {
    /// The default: no contradictions, as in most models.
    public var impossibilities: [StateError] { [] }

    /// Reads a tree as a model, or reports all its faults.
    public init(reading tree: ArchiveValue, _ strictness: Strictness = .exact) throws(ModelFaults) {
        var reading = ModelReading(strictness)
        let model = Self.table.read(tree, &reading)
        if let faults = ModelFaults(reading.faults) { throw faults }
        guard let model else { preconditionFailure("a model that can't be read has faults") }
        self = model
    }

    /// Returns the model as a tree.
    public func tree(_ style: ModelStyle = .plain) -> ArchiveValue {
        Self.table.write(self, style)
    }

    /// Returns the model written over the tree that it was read from. Unknown keys, the order and spelling of keys and
    /// the names of classes stay.
    public func tree(over original: ArchiveValue) -> ArchiveValue {
        Self.table.write(self, original.holdsObjects ? .objects : .plain, over: original)
    }
}

extension ArchiveValue {
    /// True if any part of the tree has a class.
    fileprivate var holdsObjects: Bool {
        switch self {
        case .tagged: true
        case .array(let elements): elements.contains(where: \.holdsObjects)
        case .dictionary(let fields): fields.values.contains(where: \.holdsObjects)
        default: false
        }
    }
}
