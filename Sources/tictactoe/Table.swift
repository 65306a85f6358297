import GameState

/// A game between two, as one side sees it, without I/O: it takes moves and connection changes, and returns words for
/// the other side.
struct Table: Equatable {
    /// The opponent.
    enum Opponent: Equatable {
        case computer
        case person(String)
    }

    /// The connection to another player.
    enum Connection: Equatable {
        case here
        case away
        case gone
    }

    let opponent: Opponent
    private let usual: TicTacToe.Mark
    private var standing = Standing()
    private(set) var chat: [String] = []
    private(set) var notice = ""
    var connection = Connection.here

    /// Words to send after the reconnection.
    private var held: [Word] = []
    /// Limit of stored words during a disconnection.
    private static let heldWords = 64

    /// Number of visible lines of chat.
    static let chatLines = 6

    /// - Parameter usual: mark of this side when the two connect
    init(against opponent: Opponent, as usual: TicTacToe.Mark) {
        self.opponent = opponent
        self.usual = usual
    }

    private(set) var game: TicTacToe {
        get { standing.game }
        set { standing.game = newValue }
    }

    /// The mark of this side.
    var mark: TicTacToe.Mark { standing.isSwapped ? usual.opposite : usual }

    var opponentName: String {
        switch opponent {
        case .computer: "the computer"
        case .person(let name): name
        }
    }

    var isMyTurn: Bool { game.turn == mark }

    /// True if this side has just won. It counts once.
    private(set) var hasWon = false

    // MARK: Own moves

    /// - Parameter square: from 1 to 9
    mutating func move(to square: Int) -> [Word] {
        guard game.phase == .active else { return refuse("the game is over; /new begins another") }
        guard isMyTurn else { return refuse("wait for \(opponentName)'s move") }
        guard (1...9).contains(square) else { return refuse("squares go from 1 to 9") }
        guard game.move(to: square - 1) else { return refuse("that square is taken") }
        notice = ""
        // Only an own move wins. An earlier victory is not counted again, no matter which side restores it.
        hasWon = game.winner == mark
        guard opponent == .computer else { return [.game(standing, .move)] }
        if let answer = ComputerPlayer.move(in: game) { _ = game.move(to: answer) }
        return []
    }

    mutating func say(_ text: String) -> [Word] {
        guard opponent != .computer else {
            return refuse("the computer does not talk; type a number from 1 to 9, or /help")
        }
        add("you: \(text)")
        return [.chat(text)]
    }

    mutating func startFresh() -> [Word] {
        standing = Standing(round: standing.round + 1, isSwapped: !standing.isSwapped)
        hasWon = false
        notice = "a new game"
        if opponent == .computer, !isMyTurn, let first = ComputerPlayer.move(in: game) { _ = game.move(to: first) }
        return opponent == .computer ? [] : [.game(standing, .again)]
    }

    /// Continues a stored game.
    mutating func restore(_ game: TicTacToe) -> [Word] {
        standing = Standing(round: standing.round + 1, isSwapped: standing.isSwapped, game: game)
        hasWon = false
        notice = "the game was restored; you are \(mark.symbol.rawValue)"
        if opponent == .computer, !isMyTurn, let answer = ComputerPlayer.move(in: game) {
            _ = self.game.move(to: answer)
        }
        return opponent == .computer ? [] : [.game(standing, .restored)]
    }

    private mutating func refuse(_ why: String) -> [Word] {
        notice = why
        return []
    }

    /// Shows a message on this side only.
    mutating func tell(_ text: String) { notice = text }

    // MARK: During a disconnection

    /// The words to send now: stored ones and these, or none while the other side is disconnected.
    mutating func due(_ words: [Word]) -> [Word] {
        hold(words)
        guard connection == .here else { return [] }
        defer { held = [] }
        return held
    }

    /// Stores words for later: only the last state of the game, which counts more than earlier ones.
    mutating func hold(_ words: [Word]) {
        let all = held + words
        held = all.filter(\.isGame).suffix(1) + all.filter { !$0.isGame }.suffix(Self.heldWords - 1)
    }

    /// The other side is connected again. Returns the words to send first.
    mutating func isBack() -> [Word] {
        let before = connection
        connection = .here
        guard before != .here, opponent != .computer else { return [] }
        // The other side receives the state of the game without the cause, as it may have lost everything.
        if before == .gone { held.removeAll(where: \.isGame) }
        // The last words may be lost even after a short disconnection; repeated ones are ignored.
        return standing == Standing() || held.contains(where: \.isGame) ? [] : [.game(standing, .goesOn)]
    }

    // MARK: Words of the other side

    mutating func hear(_ word: Word) {
        switch word {
        case .game(let new, let cause):
            let isMove = cause == .move && isMove(to: new)
            // A newer state of this side counts more, and is on its way to the other.
            guard isMove || new > standing else { return }
            standing = new
            hasWon = false
            notice =
                switch cause {
                case .move where isMove: ""
                case .again: "\(opponentName) began a new game; you are \(mark.symbol.rawValue)"
                case .goesOn: "the game goes on; you are \(mark.symbol.rawValue)"
                // A move must follow from the present state; any other state counts as a restored game.
                case .move, .restored: "\(opponentName) restored a game; you are \(mark.symbol.rawValue)"
                }
        case .chat(let text): add("\(opponentName): \(text)")
        }
    }

    private func isMove(to new: Standing) -> Bool {
        guard !isMyTurn, (new.round, new.isSwapped) == (standing.round, standing.isSwapped) else { return false }
        return game.freeSquares.contains { square in
            var next = game
            return next.move(to: square) && next == new.game
        }
    }

    /// Marks the victory as counted.
    mutating func victoryWasCounted() { hasWon = false }

    private mutating func add(_ line: String) {
        chat = Array((chat + [line]).suffix(Self.chatLines))
    }
}
