import SecureArchive

/// A model whose saves are recognized, with rules for merging and a summary.
protocol SavedGame: StateModel {
    /// The kind of save, for users.
    static var game: String { get }

    /// True for such a save, by content that no other game has. It may still have faults.
    static func isSave(_ state: GameState) -> Bool

    /// Reads a whole save as a model.
    init(readingSave state: GameState, _ strictness: Strictness) throws(ModelFaults)

    /// The tree of a save in the form of another, if there are several forms.
    static func converted(_ tree: ArchiveValue, toTheFormOf other: ArchiveValue) -> ArchiveValue

    /// The rules for merging two saves.
    static var rules: MergeRules { get }

    /// The summary of a save.
    var summary: [Summary.Line] { get }
}

extension SavedGame {
    init(readingSave state: GameState, _ strictness: Strictness) throws(ModelFaults) {
        try self.init(reading: state.root, strictness)
    }

    static func converted(_ tree: ArchiveValue, toTheFormOf other: ArchiveValue) -> ArchiveValue { tree }
}

extension MergeRules {
    /// Rules from a literal. Traps if one can't be parsed.
    init(_ text: StaticString) {
        do throws(StateError) {
            self = try GameRules(parsing: text.description).merging
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
