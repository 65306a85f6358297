import Testing

@testable import Games

@Suite("A launch line of Steam", .timeLimit(.minutes(1)))
struct LaunchLineTests {
    private static let huddle = "/usr/bin/huddle play celeste --from-launcher -- "

    @Test(
        "`huddle play` comes before the game, and everything else stays",
        arguments: [
            ("", huddle + "%command%", ""),
            ("%command%", huddle + "%command%", ""),
            ("-windowed", huddle + "%command% -windowed", "%command% -windowed"),
            ("MANGOHUD=1 %command% -x", "MANGOHUD=1 " + huddle + "%command% -x", "MANGOHUD=1 %command% -x"),
            ("gamemoderun %command%", "gamemoderun " + huddle + "%command%", "gamemoderun %command%"),
        ]
    )
    func wraps(line: String, wrapped: String, unwrapped: String) {
        let made = LaunchLine(line).playing("celeste", by: "/usr/bin/huddle")
        #expect(made.text == wrapped)
        #expect(made.playedGame == "celeste")
        #expect(made.withoutHuddle.text == unwrapped)
        #expect(made.playing("celeste", by: "/usr/bin/huddle") == made)
    }

    @Test(
        "A line that the user wrote is known, and is replaced by ours",
        arguments: [
            "huddle play celeste -- %command%", "huddle play celeste --anyway -- %command%",
            "'/home/deck/my games/huddle' play celeste --wait 3s -- %command%",
            "~/.local/bin/huddle play old -- %command%",
        ]
    )
    func replaces(line: String) {
        #expect(LaunchLine(line).withoutHuddle.text == "")
        #expect(LaunchLine(line).playing("celeste", by: "/usr/bin/huddle").text == Self.huddle + "%command%")
    }

    @Test(
        "A line that only looks alike stays",
        arguments: ["huddle %command%", "play celeste -- %command%", "--huddle play"]
    )
    func staysAsItIs(line: String) {
        #expect(LaunchLine(line).playedGame == nil)
        #expect(LaunchLine(line).withoutHuddle.text == line)
    }
}

@Suite("A change of Steam's settings", .timeLimit(.minutes(1)))
struct KeyValuesEditTests {
    private static let settings = """
        "UserLocalConfigStore"
        {
        \t"Software"
        \t{
        \t\t"valve"
        \t\t{
        \t\t\t"Steam"
        \t\t\t{
        \t\t\t\t"apps"
        \t\t\t\t{
        \t\t\t\t\t"504230"
        \t\t\t\t\t{
        \t\t\t\t\t\t"LastPlayed"\t\t"1700000000"
        \t\t\t\t\t\t"LaunchOptions"\t\t"say \\"x\\" // no comment"
        \t\t\t\t\t}
        \t\t\t\t}
        \t\t\t}
        \t\t}
        \t}
        \t"other"\t\t"C:\\\\x {"
        }

        """

    private func edit(_ app: String, _ value: String?, in text: String = settings) -> String? {
        let path = ["UserLocalConfigStore", "Software", "Valve", "Steam", "apps", app, "LaunchOptions"]
        return KeyValuesEdit(path: path, value: value).applied(to: Array(text.utf8)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func line(of app: String, in text: String) -> String? {
        var settings = KeyValuesReader.read(Array(text.utf8))
        for key in ["UserLocalConfigStore", "Software", "Valve", "Steam", "apps", app] { settings = settings?[key] }
        return settings?.text("LaunchOptions")
    }

    @Test("A text is replaced, and every other byte stays")
    func replaces() throws {
        let edited = try #require(edit("504230", "a \"b\" \\ c"))
        #expect(line(of: "504230", in: edited) == "a \"b\" \\ c")
        #expect(edited == Self.settings.replacing(#""say \"x\" // no comment""#, with: #""a \"b\" \\ c""#))
        #expect(edit("504230", "say \"x\" // no comment", in: edited) == Self.settings)
    }

    @Test("A game without options gets them where Steam looks for them")
    func inserts() throws {
        let edited = try #require(edit("367520", "x"))
        #expect(line(of: "367520", in: edited) == "x")
        #expect(line(of: "504230", in: edited) == "say \"x\" // no comment")
        let lines = "\t\t\t\t\t\"367520\"\n\t\t\t\t\t{\n\t\t\t\t\t\t\"LaunchOptions\"\t\t\"x\"\n\t\t\t\t\t}\n"
        #expect(edited.replacing(lines, with: "") == Self.settings)
        let new = try #require(edit("1", "x", in: "\"userlocalconfigstore\" { }"))
        #expect(line(of: "1", in: new) == "x")
    }

    @Test("An empty text is removed with its line")
    func removes() throws {
        let edited = try #require(edit("504230", nil))
        #expect(line(of: "504230", in: edited) == nil)
        #expect(
            edited
                == Self.settings.replacing(
                    "\t\t\t\t\t\t\"LaunchOptions\"\t\t\"say \\\"x\\\" // no comment\"\n",
                    with: ""
                )
        )
        #expect(edit("1", nil) == Self.settings)
    }

    @Test("A file that is cut or nested wrongly is not changed")
    func damaged() {
        let text = Self.settings
        for length in 0..<text.utf8.count - 3 {
            #expect(edit("504230", "x", in: String(decoding: text.utf8.prefix(length), as: UTF8.self)) == nil)
        }
        for wrong in [text + "}", text + "\"", "\"a\" { }", "{ }", "\0" + text] {
            #expect(edit("1", "x", in: wrong) == nil)
        }
    }
}
