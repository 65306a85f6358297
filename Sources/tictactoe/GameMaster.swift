import Foundation
import GameState
import MultipeerConnectivity
import Vocabulary

/// Controls the program: the list of players, questions, the game, saved games.
@MainActor
final class GameMaster {
    private let opponents: Opponents
    private let games: SavedGames
    private let screen = Screen()
    private var input = InputLine()
    private var lobby: Lobby
    private var found = Numbering<MCPeerID>()
    private var asking: (peer: MCPeerID, answer: Opponents.Answer)?
    /// Ends a question when the inviter stops waiting.
    private var forgetting: Task<Void, Never>?
    /// The player that this side has invited and that has not answered.
    private var invited: MCPeerID?
    private var table: Table?
    private var opponent: MCPeerID?
    /// The player that this side has just left: its departure needs no message.
    private var left: MCPeerID?
    /// True if a page covers the game until the next Enter.
    private var page: Picture?

    init(_ opponents: Opponents, _ games: SavedGames) {
        self.opponents = opponents
        self.games = games
        lobby = Lobby(name: opponents.peer.displayName)
    }

    /// Starts with a game against the computer.
    func playAlone() {
        table = Table(against: .computer, as: .x)
    }

    /// Redraws, also after other programs used the terminal.
    func begin() {
        screen.begin()
        show()
    }

    /// Leaves all players.
    func end() {
        opponents.session.disconnect()
    }

    // MARK: Events of other players

    func take(_ event: Opponents.Event) {
        switch event {
        case .found(let peer):
            found.add(peer)
        case .lost(let peer):
            found.remove(peer)
            if asking?.peer == peer { forgetQuestion("\(peer) has gone") }
        case .asked(let peer, let answer):
            // A player whose program restarted returns to the interrupted game.
            if peer == opponent, table?.connection == .gone { return answer.handler(true, opponents.session) }
            guard table?.opponent == nil || table?.opponent == .computer, asking == nil else {
                return answer.handler(false, nil)
            }
            asking = (peer, answer)
            page = nil
            lobby.asking = peer.description
            lobby.notice = ""
            forgetting = Task {
                guard (try? await Task.sleep(for: .seconds(Opponents.patience))) != nil, !Task.isCancelled else {
                    return
                }
                forgetQuestion("\(peer) asked, and no longer waits")
            }
        case .trouble(let words): lobby.notice = words
        }
        show()
    }

    func take(_ event: MCSessionEvent) {
        switch event {
        case .peer(let peer, .connected, _): arrived(peer)
        case .peer(let peer, .connecting, _):
            if peer != opponent {
                lobby.notice = "waiting for \(peer)"
            } else if table?.connection == .here {
                // A player that left and reconnects is not connected yet.
                table?.connection = .away
            }
        case .peer(let peer, .notConnected, let reason):
            let why = reason.map { MCSessionEvent.sentence($0) } ?? ""
            if peer == invited { invited = nil }
            if peer == opponent {
                table?.connection = .gone
            } else if peer != left {
                lobby.notice = "\(peer): \(why)"
            }
            if peer == left { left = nil }
        case .data(let data, let peer):
            guard peer == opponent, let word = Word(data) else { break }
            table?.hear(word)
        case .stream, .resourceStarted, .resourceFinished, .resourceFailed: break
        }
        show()
    }

    /// Ends the question of an inviter that has left or stopped waiting.
    private func forgetQuestion(_ notice: String) {
        asking?.answer.handler(false, nil)
        (lobby.asking, lobby.notice) = (nil, notice)
        endQuestion()
        show()
    }

    private func endQuestion() {
        forgetting?.cancel()
        (asking, forgetting, lobby.asking) = (nil, nil, nil)
    }

    /// Cancels an unanswered invitation of this side, which would prevent another.
    private func withdraw(for peer: MCPeerID) {
        guard let open = invited, open != peer else { return }
        (left, invited) = (open, nil)
        opponents.session.cancelConnectPeer(open)
    }

    private func invite(_ peer: MCPeerID) {
        withdraw(for: peer)
        invited = peer
        opponents.invite(peer)
    }

    private func arrived(_ peer: MCPeerID) {
        if let asking, asking.peer != peer { asking.answer.handler(false, nil) }
        endQuestion()
        lobby.notice = ""
        invited = nil
        // Both sides know both keys, so both reach the same result.
        let mark: TicTacToe.Mark = opponents.peer.shortFingerprint < peer.shortFingerprint ? .x : .o
        if peer == opponent, table != nil {
            if table?.connection == .gone { table?.tell("") }
            return send(table?.isBack() ?? [])
        }
        opponent = peer
        table = Table(against: .person(peer.displayName), as: mark)
        page = nil
        show()
    }

    // MARK: Input

    /// Handles a key; returns false if the user ends the program.
    func take(_ key: Keyboard.Key) async -> Bool {
        if key == .endOfInput, input.text.isEmpty { return false }
        defer { show() }
        guard let line = input.take(key) else { return true }
        return await take(line)
    }

    private func take(_ line: String) async -> Bool {
        let typed = line.trimmingCharacters(in: .whitespaces)
        if page != nil {
            page = nil
            // Input on a page is meant for the game below it.
            if typed.isEmpty { return true }
        }
        if typed == "/quit" { return false }
        if let asking {
            await answer(asking.peer, asking.answer, typed)
            return true
        }
        guard table == nil else {
            play(typed)
            return true
        }
        return choose(typed)
    }

    private func answer(_ peer: MCPeerID, _ answer: Opponents.Answer, _ typed: String) async {
        // Whole words only: a word that was half typed for another purpose must not block a player.
        switch typed.lowercased() {
        case "y", "yes":
            withdraw(for: peer)
            answer.handler(true, opponents.session)
            tell("\(peer) is coming")
        case "b", "block":
            do {
                try await opponents.block(peer)
                tell("\(peer) is blocked; docs/internals/tictactoe.md says how to lift that")
            } catch {
                tell(error.localizedDescription)
            }
        case "n", "no":
            answer.handler(false, nil)
            tell("\(peer) was told no")
        default:
            lobby.notice = "y, n or b, and nothing else"
            return
        }
        // Another player may ask by now.
        if asking?.peer == peer { endQuestion() }
    }

    /// Shows a message on the next screen.
    private func tell(_ text: String) {
        lobby.notice = text
        table?.tell(text)
    }

    private func choose(_ typed: String) -> Bool {
        lobby.notice = ""
        switch typed.lowercased() {
        case "q": return false
        case "c": table = Table(against: .computer, as: .x)
        case "s": showScores()
        case "": break
        case let choice:
            guard let number = Int(choice), let peer = found.present[number] else {
                let hasGone = Int(choice).map(found.hasGone) == true
                lobby.notice = hasGone ? "player number \(choice) has gone" : "there is no \(choice)"
                return true
            }
            invite(peer)
        }
        return true
    }

    private func play(_ typed: String) {
        if typed.isEmpty {
            guard let opponent, table?.connection == .gone else { return }
            table?.tell("waiting for \(opponent)")
            // The key may belong to another object by now.
            invite(found.present.values.first { $0 == opponent } ?? opponent)
        } else if let square = Int(typed) {
            send(table?.move(to: square) ?? [])
        } else if typed == "q" {
            // A key of the list, not a text of a peer.
            table?.tell("/leave goes back to the list, /quit ends the program")
        } else if typed.hasPrefix("/") {
            obey(typed)
        } else {
            send(table?.say(typed) ?? [])
        }
        countVictory()
    }

    private func obey(_ typed: String) {
        let parts = typed.split(separator: " ", maxSplits: 1).map(String.init)
        let name = parts.count > 1 ? parts[1] : "game"
        switch parts[0] {
        case "/new": send(table?.startFresh() ?? [])
        case "/save", "/replace":
            kept { table in
                let isKept = try games.save(table.game, as: name, replacing: parts[0] == "/replace")
                return isKept ? "kept as \(name)" : "“\(name)” is there already: /replace \(name) overwrites it"
            }
        case "/load": load(name)
        case "/scores": showScores()
        case "/help": page = Picture.help
        case "/leave":
            opponents.session.disconnect()
            left = table?.connection == .gone ? nil : opponent
            (table, opponent) = (nil, nil)
            // The list was not on the screen.
            found.renumber()
        default: table?.tell("there is no \(parts[0]); /help lists the commands")
        }
    }

    private func load(_ name: String) {
        do {
            guard let game = try games.game(named: name) else {
                table?.tell("there is no game called \(name); kept: \(games.list)")
                return
            }
            send(table?.restore(game) ?? [])
        } catch {
            table?.tell("\(error)")
        }
    }

    private func kept(_ work: (Table) throws -> String) {
        guard let table else { return }
        do {
            self.table?.tell(try work(table))
        } catch {
            self.table?.tell("\(error)")
        }
    }

    private func countVictory() {
        guard table?.hasWon == true else { return }
        table?.victoryWasCounted()
        let name = opponents.peer.displayName
        kept { _ in "victories of yours: \(try games.countVictory(of: name))" }
    }

    private func showScores() {
        do {
            page = Picture(of: try games.scores())
        } catch {
            lobby.notice = "\(error)"
            table?.tell("\(error)")
        }
    }

    private func send(_ words: [Word]) {
        do {
            let due = table?.due(words) ?? []
            table?.hold(try opponents.send(due))
        } catch {
            table?.tell(error.localizedDescription)
        }
    }

    // MARK: Screen

    /// The game to show. A question comes before a game against the computer, which continues after a no.
    private var shownTable: Table? { asking == nil ? table : nil }

    func show() {
        lobby.people = found.present.mapValues(\.description)
        screen.show(page ?? shownTable.map { Picture(of: $0) } ?? Picture(of: lobby), input)
    }

    /// Releases the terminal for other programs.
    func pause() { screen.end() }
}
