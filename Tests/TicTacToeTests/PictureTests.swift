import GameState
import Testing

@testable import tictactoe

@Suite("Picture")
struct PictureTests {
    private func texts(_ picture: Picture, _ columns: Int, _ rows: Int) -> [String] {
        picture.fitting(columns: columns, rows: rows).map(\.text)
    }

    private let grid = [" 1 │ 2 │ 3 ", "───┼───┼───", " 4 │ 5 │ 6 ", "───┼───┼───", " 7 │ 8 │ 9 "]

    /// A game with the longest texts, and with any name.
    private func talkative(_ name: String) -> Table {
        var table = Table(against: .person(name), as: .x)
        for _ in 0..<20 { table.hear(.chat("\u{1B}[2J" + String(repeating: "é", count: 190))) }
        table.tell(String(repeating: "there is a lot to say ", count: 10))
        return table
    }

    @Test(
        "Board, turn and input line are complete in every window that fits them",
        arguments: ["Ben", "w", "日", "\u{7}"]
    )
    func whole(letter: String) throws {
        let name = letter == "Ben" ? letter : String(repeating: letter, count: 63 / letter.utf8.count)
        for connection in [Table.Connection.here, .away, .gone] {
            var table = talkative(name)
            table.connection = connection
            for (columns, rows) in [(80, 24), (30, 10), (200, 60), (20, 12), (30, 24), (80, 8)] {
                let lines = texts(Picture(of: table), columns, rows)
                #expect(lines.count == min(rows, Picture.height) - 1, "\(columns) × \(rows)")
                #expect(lines.allSatisfy { $0.columns <= columns }, "\(columns) × \(rows)")
                let board = try #require(lines.firstIndex { $0.hasSuffix(grid[0]) })
                #expect(zip(lines[board...], grid).allSatisfy { $0.hasSuffix($1) })
                let words = lines.map { $0.trimmingPrefix { $0 == " " } }.joined(separator: " ")
                let sentence =
                    switch connection {
                    case .here: "it is your turn, X"
                    case .away: "is broken; it comes back by itself"
                    case .gone: "has gone: Enter invites, /leave goes back"
                    }
                #expect(words.contains(sentence), "\(columns) × \(rows)")
            }
        }
    }

    @Test("A window that is too small shows the needed size, which is sufficient")
    func tooSmall() {
        let picture = Picture(of: Table(against: .person("Ben"), as: .x))
        #expect(texts(picture, 30, 6) == ["Make the window larger: 30 × 7", "  at least"])
        #expect(texts(picture, 15, 24) == ["Make the window", "  larger: 20 ×", "  7 at least"])
        #expect(texts(picture, 20, 7).count == 6)
        for columns in 1..<20 {
            for rows in 1..<7 {
                let lines = texts(picture, columns, rows)
                #expect((1...max(1, rows - 1)).contains(lines.count) && lines.allSatisfy { $0.columns <= columns })
            }
        }
    }

    @Test("In a low window empty lines go first, then old chat, and the last words stay")
    func low() {
        var table = Table(against: .person("Ben"), as: .x)
        for text in ["one", "two", "three"] { table.hear(.chat(text)) }
        table.tell("a notice")
        let lines = texts(Picture(of: table), 80, 12)
        #expect(lines.filter { $0.contains("Ben: ") } == ["  Ben: two", "  Ben: three"])
        #expect(lines.contains("  a notice") && !lines.contains(""))
        #expect(texts(Picture(of: table), 80, 9).last == "  Ben: three")
        // A wrapped entry is dropped as a whole, except for the last words.
        #expect(texts(Picture(of: Table(against: .person("Ben"), as: .x)), 30, 8).count == 7)
        table.hear(.chat("a story that goes on and on, and on and on"))
        #expect(texts(Picture(of: table), 20, 9).suffix(2) == ["  a notice", "  Ben: a story that…"])
    }

    @Test("A wrapped title is shown completely or not at all", arguments: 8..<16)
    func titles(rows: Int) {
        let lines = texts(Picture(of: Table(against: .person("Ben"), as: .x)), 24, rows)
        #expect(lines.contains("  Tic-tac-toe against") == lines.contains("    Ben; you are X"))
    }

    @Test("A long text continues on the next line, indented so that it does not look like another")
    func wrapped() {
        #expect("  Ben: hello there".wrapped(to: 12) == ["  Ben: hello", "    there"])
        #expect("  aaaaaaaaaaaa b".wrapped(to: 8) == ["  aaaaaa", "    aaaa", "    aa b"])
        #expect("日本語".wrapped(to: 4) == ["日本", "  語"])
        #expect("abc".wrapped(to: 1) == ["a", "b", "c"])
        #expect("".wrapped(to: 5) == [""] && "x".wrapped(to: 5) == ["x"])
        let notice = "there is no game called evening; kept: " + String(repeating: "game, ", count: 12)
        var table = Table(against: .computer, as: .x)
        table.tell(notice)
        #expect(texts(Picture(of: table), 80, 24).joined().filter { $0 != " " }.contains(notice.filter { $0 != " " }))
    }

    @Test("A long list tells the number of missing entries, and keeps the distinguishing ends")
    func lists() {
        var lobby = Lobby(name: "\u{1B}[31mAnn")
        for number in 1...30 { lobby.people[number] = String(repeating: "w", count: 63) + " (abcd-ef\(number + 10))" }
        lobby.asking = "Ben\u{7} (abcd-efgh)"
        lobby.notice = "a notice"
        for (columns, rows) in [(80, 24), (30, 10), (20, 10)] {
            let lines = texts(Picture(of: lobby), columns, rows)
            #expect(lines.count == min(rows, Picture.height) - 1 && lines.allSatisfy { $0.columns <= columns })
            let shown = lines.count { $0.hasSuffix(")") && $0.contains("…") }
            #expect(lines.contains("   … and \(30 - shown) more") && shown > 0)
            #expect(lines.contains("  a notice") && lines.contains { $0.contains("(abcd-ef11)") })
        }
    }

    @Test("A question names the player and the answers, for any name")
    func question() {
        var lobby = Lobby(name: "Ann")
        lobby.asking = String(repeating: "\\u{1f}", count: 63) + " (abcd-efgh)"
        for (columns, rows) in [(20, 10), (30, 10), (80, 24)] {
            let words = texts(Picture(of: lobby), columns, rows).map { $0.trimmingPrefix { $0 == " " } }
            #expect(words.joined(separator: " ").contains("(abcd-efgh) wants to play. y (yes), n (no), or b (block)?"))
        }
    }

    @Test("Help fits a window of 30 by 10, and other pages fit any window")
    func pages() {
        #expect(texts(Picture.help, 30, 10).filter { $0.contains("…") }.isEmpty)
        for (columns, rows) in [(80, 24), (30, 10), (20, 5)] {
            let lines = texts(Picture.help, columns, rows)
            #expect(lines.count == min(rows, Picture.height) - 1 && lines.allSatisfy { $0.columns <= columns })
        }
    }

    @Test("Text of others is unchanged, except for control characters")
    func prose() {
        var table = Table(against: .person(#"Be\n"#), as: .x)
        table.hear(.chat(#"look in C:\saves ¯\_(ツ)_/¯"#))
        table.hear(.chat("\u{1B}[2J\u{9B}1m\u{202E}\u{7}"))
        let lines = texts(Picture(of: table), 80, 24)
        #expect(lines.contains(#"  Be\n: look in C:\saves ¯\_(ツ)_/¯"#))
        // A name must be distinguishable.
        #expect(lines[0].contains(#"Be\\n"#))
        let categories = lines.joined().unicodeScalars.map(\.properties.generalCategory)
        #expect(!categories.contains(.control) && !categories.contains(.format))
    }

    @Test("Colours change no text, and only mark the grid and the own turn")
    func colours() {
        var table = Table(against: .person("X"), as: .x)
        table.hear(.chat("X │ O"))
        table.hear(.chat("it is your turn, X"))
        let lines = Picture(of: table).fitting(columns: 80, rows: 24)
        for line in lines {
            #expect(Paint.coloured(line).replacing(/\u{1B}\[[0-9;]*m/, with: "") == line.text)
            if line.look == .plain { #expect(Paint.coloured(line) == line.text) }
        }
        #expect(lines.count { $0.look == .loud } == 1 && lines.count { $0.look == .grid } == 5)
    }
}
