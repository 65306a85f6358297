public import SecureArchive

/// A game's state as a type of its own, read from trees and written into them by one table of its fields.
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
    /// One of which nothing is known yet, for the table to fill.
    init()

    /// Its fields.
    static var table: FieldTable<Self> { get }

    /// What about it can't be, such as a game that both have won; paths are its own.
    var impossibilities: [StateError] { get }
}

extension StateModel {
    /// Most models can't be impossible.
    public var impossibilities: [StateError] { [] }

    /// Takes a tree for a model, or says everything that keeps it from being one.
    public init(reading tree: ArchiveValue, _ strictness: Strictness = .exact) throws(ModelFaults) {
        var reading = ModelReading(strictness)
        let model = Self.table.read(tree, &reading)
        if let faults = ModelFaults(reading.faults) { throw faults }
        guard let model else { preconditionFailure("a model that can't be read has faults") }
        self = model
    }

    /// The model as a tree.
    public func tree(_ style: ModelStyle = .plain) -> ArchiveValue {
        Self.table.write(self, style)
    }

    /// The model written over the tree it was read from: keys that it does not know stay, and so do the order and spelling of keys and the
    /// names of classes.
    public func tree(over original: ArchiveValue) -> ArchiveValue {
        Self.table.write(self, original.holdsObjects ? .objects : .plain, over: original)
    }
}

extension ArchiveValue {
    /// Whether anything in it says of which class it is.
    fileprivate var holdsObjects: Bool {
        switch self {
        case .tagged: true
        case .array(let elements): elements.contains(where: \.holdsObjects)
        case .dictionary(let fields): fields.values.contains(where: \.holdsObjects)
        default: false
        }
    }
}
