import SecureArchive

/// The kinds of save that are known here without anybody saying so.
public struct KnownGame: Sendable, CustomStringConvertible {
    /// As many as a list of the most high scores has that a database may have. To look at more as a save of a game would take longer, and more memory,
    /// than reading them.
    public static let valueLimit = ScoreDatabase.rowLimit * 3 + 2
    /// XML is taken apart once more on the way.
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

    /// What a tree is, by what no other game has; nil where it is none of these. It may still be a faulty one: see ``faults(of:_:)``.
    public init?(recognising state: GameState) {
        guard let known = Self.all.first(where: { $0.model.isSave(state) }) else { return nil }
        self = known
    }

    /// Such as `tic-tac-toe`.
    public var description: String { model.game }

    /// How two of its saves become one; both have to be of one form, see ``brought(_:intoTheFormOf:)``.
    public var rules: MergeRules { model.rules }

    /// A save in the form of another: a character is kept with keys or in the older order without. What can't be read as a sound save stays what it is.
    public func brought(_ state: GameState, intoTheFormOf other: GameState) -> GameState {
        GameState(model.brought(state.root, intoTheFormOf: other.root), format: state.format)
    }

    /// What keeps a tree from being a sound save of this game; nil where nothing does.
    public func faults(of state: GameState, _ strictness: Strictness = .exact) -> ModelFaults? {
        do throws(ModelFaults) {
            _ = try read(state, strictness)
            return nil
        } catch {
            return error
        }
    }

    /// What a save of it says, as far as it can be understood; nil where it can't be at all.
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
    /// Whether there are no more values than were left, this one included.
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
