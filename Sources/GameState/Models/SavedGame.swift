import SecureArchive

/// A model of which saves are recognised by themselves, that knows how two saves become one and what a save says.
protocol SavedGame: StateModel {
    /// What kind of save it is, for people.
    static var game: String { get }

    /// Whether a tree is such a save, by what no other game has. It may still be a faulty one.
    static func isSave(_ state: GameState) -> Bool

    /// Takes a whole save for a model.
    init(readingSave state: GameState, _ strictness: Strictness) throws(ModelFaults)

    /// The tree of a save in the form of another, where there are several that say the same.
    static func brought(_ tree: ArchiveValue, intoTheFormOf other: ArchiveValue) -> ArchiveValue

    /// How two saves become one.
    static var rules: MergeRules { get }

    /// What a save says.
    var summary: [Summary.Line] { get }
}

extension SavedGame {
    init(readingSave state: GameState, _ strictness: Strictness) throws(ModelFaults) {
        try self.init(reading: state.root, strictness)
    }

    static func brought(_ tree: ArchiveValue, intoTheFormOf other: ArchiveValue) -> ArchiveValue { tree }
}

extension MergeRules {
    /// Rules that stand in the source. Traps where one can't be understood.
    init(_ text: StaticString) {
        do throws(StateError) {
            self = try GameRules(parsing: text.description).merging
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
