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
    private let usual: TicTacToe.Mark
    private var standing = Standing()
    private(set) var chat: [String] = []
    private(set) var notice = ""
    var connection = Connection.here

    /// What is to be said once the other side is there again.
    private var held: [Word] = []
    /// Of what a person types in the meantime, so much is kept.
    private static let heldWords = 64

    /// How many lines of chat are shown.
    static let chatLines = 6

    /// - Parameter usual: what this side begins with when the two meet
    init(against opponent: Opponent, as usual: TicTacToe.Mark) {
        self.opponent = opponent
        self.usual = usual
    }

    private(set) var game: TicTacToe {
        get { standing.game }
        set { standing.game = newValue }
    }

    /// What this side plays.
    var mark: TicTacToe.Mark { standing.isSwapped ? usual.opposite : usual }

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
        // It comes by one's own move alone. What was won before is not won again, whoever brings it back.
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

    mutating func beginAnew() -> [Word] {
        standing = Standing(round: standing.round + 1, isSwapped: !standing.isSwapped)
        hasWon = false
        notice = "a new game"
        if opponent == .computer, !isMyTurn, let first = ComputerPlayer.move(in: game) { _ = game.move(to: first) }
        return opponent == .computer ? [] : [.game(standing, .again)]
    }

    /// Goes on with a game that was kept.
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

    /// Keeps words for later: of how the game stood only the last, which counts more than all before it.
    mutating func hold(_ words: [Word]) {
        let all = held + words
        held = all.filter(\.isGame).suffix(1) + all.filter { !$0.isGame }.suffix(Self.heldWords - 1)
    }

    /// The other side is there again. Answers what it has to be told first.
    mutating func isBack() -> [Word] {
        let before = connection
        connection = .here
        guard before != .here, opponent != .computer else { return [] }
        // It is told how the game stands, and not how it came to that, for it may have lost everything.
        if before == .gone { held.removeAll(where: \.isGame) }
        // What was said last may be lost even where it was away for a moment only; what is not news is passed over.
        return standing == Standing() || held.contains(where: \.isGame) ? [] : [.game(standing, .goesOn)]
    }

    // MARK: The other side

    mutating func hear(_ word: Word) {
        switch word {
        case .game(let new, let cause):
            let isMove = cause == .move && isMove(to: new)
            // What this side did meanwhile counts more, and goes to the other, or has gone there already.
            guard isMove || new > standing else { return }
            standing = new
            hasWon = false
            notice =
                switch cause {
                case .move where isMove: ""
                case .again: "\(opponentName) began a new game; you are \(mark.symbol.rawValue)"
                case .goesOn: "the game goes on; you are \(mark.symbol.rawValue)"
                // A move has to follow from what is here; everything else is a restored game, and is said to be one.
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

    /// This side's victory has been counted.
    mutating func victoryWasCounted() { hasWon = false }

    private mutating func add(_ line: String) {
        chat = Array((chat + [line]).suffix(Self.chatLines))
    }
}
