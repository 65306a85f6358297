import GameState

/// A game between two, as one of them sees it: pure, told what the two do and how the connection is, it answers what is to be said over there.
struct Table: Equatable {
    /// Who sits on the other side.
    enum Opponent: Equatable {
        case computer
        case person(String)
    }

    /// How the connection to a person is.
    enum Connection: Equatable {
        case here
        case away
        case gone
    }

    let opponent: Opponent
    /// What this side plays.
    private(set) var mark: TicTacToe.Mark
    private(set) var game = TicTacToe.begun
    private(set) var chat: [String] = []
    private(set) var notice = ""
    var connection = Connection.here

    /// What is to be said once the other side is there again.
    private var held: [Word] = []
    /// Of what a person types in the meantime, so much is kept.
    private static let heldWords = 64

    /// How many lines of chat are shown.
    static let chatLines = 6

    init(against opponent: Opponent, as mark: TicTacToe.Mark) {
        self.opponent = opponent
        self.mark = mark
    }

    var opponentName: String {
        switch opponent {
        case .computer: "the computer"
        case .person(let name): name
        }
    }

    var isMyTurn: Bool { game.turn == mark }

    /// Whether this side has just won. It counts once.
    private(set) var hasWon = false

    // MARK: This side

    /// - Parameter square: from 1 to 9
    mutating func move(to square: Int) -> [Word] {
        guard game.phase == .active else { return refuse("the game is over; /new begins another") }
        guard isMyTurn else { return refuse("wait for \(opponentName)'s move") }
        guard (1...9).contains(square) else { return refuse("squares go from 1 to 9") }
        guard game.move(to: square - 1) else { return refuse("that square is taken") }
        notice = ""
        settle()
        guard opponent == .computer else { return [.game(game)] }
        if let answer = ComputerPlayer.move(in: game) { _ = game.move(to: answer) }
        settle()
        return []
    }

    mutating func say(_ text: String) -> [Word] {
        guard opponent != .computer else {
            return refuse("the computer does not talk; type a number from 1 to 9, or /help")
        }
        add("you: \(text)")
        return [.chat(text)]
    }

    mutating func beginAnew() -> [Word] {
        game = .begun
        mark = mark.opposite
        hasWon = false
        notice = "a new game"
        if opponent == .computer, !isMyTurn, let first = ComputerPlayer.move(in: game) { _ = game.move(to: first) }
        return opponent == .computer ? [] : [.again]
    }

    /// Goes on with a game that was kept.
    mutating func restore(_ game: TicTacToe) -> [Word] {
        self.game = game
        hasWon = false
        notice = "the game was restored"
        if opponent == .computer, !isMyTurn, let answer = ComputerPlayer.move(in: game) {
            _ = self.game.move(to: answer)
        }
        return opponent == .computer ? [] : [.game(game)]
    }

    private mutating func refuse(_ why: String) -> [Word] {
        notice = why
        return []
    }

    /// Says something to this side alone.
    mutating func tell(_ text: String) { notice = text }

    // MARK: While the connection is broken

    /// What can be said now: these words and those that were held, or nothing while the other side is away.
    mutating func due(_ words: [Word]) -> [Word] {
        hold(words)
        guard connection == .here else { return [] }
        defer { held = [] }
        return held
    }

    /// Keeps words for later.
    mutating func hold(_ words: [Word]) { held = Array((held + words).suffix(Self.heldWords)) }

    /// The other side is there again. Answers what it has to be told first.
    ///
    /// - Parameter usual: what this side begins with when the two meet
    mutating func isBack(from usual: TicTacToe.Mark) -> [Word] {
        defer { connection = .here }
        guard connection == .gone else { return [] }
        // It is told how the game stands, and not how it came to that.
        held = []
        return reminder(from: usual)
    }

    // MARK: The other side

    mutating func hear(_ word: Word) {
        switch word {
        case .game(let new):
            // A move has to follow from what is here; everything else is a restored game, and is said to be one.
            if !isMove(to: new) {
                notice = "\(opponentName) restored a game"
                hasWon = false
            } else {
                notice = ""
            }
            game = new
            settle()
        case .chat(let text): add("\(opponentName): \(text)")
        case .again:
            game = .begun
            mark = mark.opposite
            hasWon = false
            notice = "\(opponentName) began a new game"
        }
    }

    private func isMove(to new: TicTacToe) -> Bool {
        guard !isMyTurn else { return false }
        return game.freeSquares.contains { square in
            var next = game
            return next.move(to: square) && next.grid == new.grid && next.phase == new.phase
        }
    }

    /// The other side is back after it had lost everything: it gets the game as it stands here.
    ///
    /// - Parameter usual: what this side begins with when the two meet
    func reminder(from usual: TicTacToe.Mark) -> [Word] {
        guard opponent != .computer else { return [] }
        return (mark == usual ? [] : [.again]) + (game.playCount > 0 ? [.game(game)] : [])
    }

    private mutating func settle() {
        hasWon = game.winner == mark
    }

    /// This side's victory has been counted.
    mutating func victoryWasCounted() { hasWon = false }

    private mutating func add(_ line: String) {
        chat = Array((chat + [line]).suffix(Self.chatLines))
    }
}
