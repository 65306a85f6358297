import SecureArchive

/// The kinds of saves that are recognized without rules from the user.
public struct KnownGame: Sendable, CustomStringConvertible {
    /// The number of values in the largest list of high scores that a database may have. To check a larger tree as a
    /// save would take more time and memory than to read it.
    public static let valueLimit = ScoreDatabase.rowLimit * 3 + 2
    /// The limit for XML, which is converted once more.
    static let valueLimitInXML = valueLimit / 2

    private let model: any SavedGame.Type

    /// All of them.
    public static let all: [KnownGame] = [
        KnownGame(model: TicTacToe.self), KnownGame(model: SimpleCharacter.self),
        KnownGame(model: PasscodeSettings.self),
        KnownGame(model: Scene.self), KnownGame(model: HighScores.self),
    ]

    private init(model: any SavedGame.Type) {
        self.model = model
    }

    /// Recognizes a tree by content that no other game has; nil for other trees. The save may still have faults: see
    /// ``faults(of:_:)``.
    public init?(recognising state: GameState) {
        guard let known = Self.all.first(where: { $0.model.isSave(state) }) else { return nil }
        self = known
    }

    /// The name of the kind, such as `tic-tac-toe`.
    public var description: String { model.game }

    /// The rules for merging two of its saves. Both must have one form, see ``brought(_:intoTheFormOf:)``.
    public var rules: MergeRules { model.rules }

    /// Returns a save in the form of another: a character is stored with keys or in the older order. A save with faults
    /// stays unchanged.
    public func converted(_ state: GameState, toTheFormOf other: GameState) -> GameState {
        GameState(model.converted(state.root, toTheFormOf: other.root), format: state.format)
    }

    /// The faults of a tree as a save of this game; nil if there are none.
    public func faults(of state: GameState, _ strictness: Strictness = .exact) -> ModelFaults? {
        do throws(ModelFaults) {
            _ = try read(state, strictness)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the summary of a save, as far as it can be understood; nil if it can't be at all.
    public func summary(of state: GameState) -> Summary? {
        (try? read(state, .tolerant)).map { Summary(game: model.game, $0.summary) }
    }

    private func read(_ state: GameState, _ strictness: Strictness) throws(ModelFaults) -> any SavedGame {
        let limit = state.format == .xml ? Self.valueLimitInXML : Self.valueLimit
        var left = limit
        if !state.root.counts(against: &left),
            let faults = ModelFaults([StateError(.impossible, "no save has more than \(limit) values")])
        {
            throw faults
        }
        return try model.init(readingSave: state, strictness)
    }
}

extension ArchiveValue {
    /// Counts the values of a tree; false if they exceed the count that is left.
    fileprivate func counts(against left: inout Int) -> Bool {
        left -= 1
        guard left >= 0 else { return false }
        return switch self {
        case .array(let elements): elements.allSatisfy { $0.counts(against: &left) }
        case .dictionary(let fields): fields.values.allSatisfy { $0.counts(against: &left) }
        case .tagged(_, let below): below.counts(against: &left)
        default: true
        }
    }
}
