import Testing
import Vocabulary

@testable import Games
@testable import huddle

@Suite("The list of games", .timeLimit(.minutes(5)))
struct GameTableTests {
    private let now = FileTime(seconds: 1_800_000_000, nanoseconds: 0)

    private func game(_ id: String, _ title: String, files: Int = 3, saved: Int64? = nil) throws -> FoundGame {
        var tally = SaveTally()
        (tally.files, tally.bytes) = (files, 5000)
        tally.lastSave = FileTime(seconds: saved ?? now.seconds - 60, nanoseconds: 0)
        let place = FoundPlace(
            path: "/srv/x",
            place: try GamePlace("<xdgData>/x"),
            kind: .native,
            patterns: [],
            content: .saves,
            standing: .used,
            tally: tally,
            real: "/srv/x"
        )
        return FoundGame(id: id, title: title, launchers: [.steamFlatpak], places: [place], notes: [])
    }

    @Test("Each line of the list fits the terminal, whatever a game is called", arguments: [72, 80, 120])
    func fits(width: Int) throws {
        let games = [
            try game("a", "A"),
            try game(String(repeating: "long-", count: 8), String(repeating: "Long ", count: 30), files: 9999),
            try game("three", "三伏三伏三伏三伏三伏三伏三伏三伏三伏三伏"), try game("bad", "B\u{1B}[2J\n\u{202E}C"),
        ]
        let lines = GameTable(games, nil, width: width, now: now).text.split(separator: "\n")
        #expect(lines.count == 5)
        for line in lines { #expect(ColumnText(String(line)).width <= width && !line.contains("\u{1B}"), "\(line)") }
    }

    @Test("The columns of the list are aligned beside wide letters")
    func wide() throws {
        let games = [try game("a", "Minit"), try game("three", "三伏")]
        #expect(
            GameTable(games, nil, width: 80, now: now).text == """
                NAME   TITLE  FROM   FILES     SIZE  LAST SAVE
                a      Minit  Steam      3  4.8 KiB  just now
                three  三伏   Steam      3  4.8 KiB  just now
                """
        )
    }

    @Test(
        "The time of the last save is in the user's words",
        arguments: [
            (0, "just now"), (-50, "just now"), (120, "2 min ago"), (3600, "60 min ago"), (7200, "2 h ago"),
            (100_000, "28 h ago"),
            (200_000, "2 days ago"),
        ]
    )
    func ages(seconds: Int64, expected: String) {
        #expect(GameTable.age(FileTime(seconds: now.seconds - seconds, nanoseconds: 0), at: now) == expected)
    }
}
