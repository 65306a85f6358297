import Foundation
import GameState
import MultipeerConnectivity
import Vocabulary

/// Leads the person through the program: who is there, who asks, the game, what is kept.
@MainActor
final class GameMaster {
    private let opponents: Opponents
    private let games: SavedGames
    private let screen = Screen()
    private var input = InputLine()
    private var lobby: Lobby
    private var found = Numbering<MCPeerID>()
    private var asking: (peer: MCPeerID, answer: Opponents.Answer)?
    /// Forgets who asks when that one waits no more.
    private var forgetting: Task<Void, Never>?
    /// Whom this side has invited, and who has not answered yet.
    private var invited: MCPeerID?
    private var table: Table?
    private var opponent: MCPeerID?
    /// Whom this side has just left: that one's going is no news.
    private var left: MCPeerID?
    /// Whether a page lies over the game until the next Enter.
    private var page: Picture?

    init(_ opponents: Opponents, _ games: SavedGames) {
        self.opponents = opponents
        self.games = games
        lobby = Lobby(name: opponents.peer.displayName)
    }

    /// Begins with a game against the computer.
    func playAlone() {
        table = Table(against: .computer, as: .x)
    }

    /// Also after others have had the terminal.
    func begin() {
        screen.begin()
        show()
    }

    /// Says goodbye.
    func end() {
        opponents.session.disconnect()
    }

    // MARK: What others do

    func take(_ event: Opponents.Event) {
        switch event {
        case .found(let peer):
            found.add(peer)
        case .lost(let peer):
            found.remove(peer)
            if asking?.peer == peer { forgetQuestion("\(peer) has gone") }
        case .asked(let peer, let answer):
            // Whoever had to begin anew comes back into the game that it is missing from.
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
                forgetQuestion("\(peer) asked, and waits no more")
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
                // Who had gone and comes anew is not here yet, either.
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

    /// Who asked is not there any more, or waits no more.
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

    /// An invitation of one's own that nobody has answered would stand in the way of another.
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
        // Both sides know both keys, so both come to the same.
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

    // MARK: What the person types

    /// Answers false where the person wants to end.
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
            // What was typed on top of it is meant for the game below.
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
        // Whole words: what was half typed for something else must block nobody.
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
        // Another may ask by now.
        if asking?.peer == peer { endQuestion() }
    }

    /// Says something wherever the person looks next.
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
                lobby.notice = hasGone ? "whoever was number \(choice) has gone" : "there is no \(choice)"
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
            // Under the same key it may have another object by now.
            invite(found.present.values.first { $0 == opponent } ?? opponent)
        } else if let square = Int(typed) {
            send(table?.move(to: square) ?? [])
        } else if typed == "q" {
            // A key of the list, and nothing that anybody says.
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
        case "/new": send(table?.beginAnew() ?? [])
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
        default: table?.tell("there is no \(parts[0]); /help shows what there is")
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

    // MARK: The screen

    /// Whoever asks comes before a game against the computer, which goes on when the answer is no.
    private var shownTable: Table? { asking == nil ? table : nil }

    func show() {
        lobby.people = found.present.mapValues(\.description)
        screen.show(page ?? shownTable.map { Picture(of: $0) } ?? Picture(of: lobby), input)
    }

    /// Leaves the terminal to others for a while.
    func pause() { screen.end() }
}
