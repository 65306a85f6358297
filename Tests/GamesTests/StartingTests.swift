import Testing

@testable import Games

@Suite("The wrapper of a game in Heroic", .timeLimit(.minutes(1)))
struct HeroicWrapperTests {
    private static let program = "/usr/bin/huddle"
    private static let ours = #"{"exe":"/usr/bin/huddle","args":"play celeste --from-launcher --"}"#

    private func playing(_ text: String, _ game: String?) -> String? {
        HeroicWrapper(Array(text.utf8), of: "42")?.playing(game, by: Self.program).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test(
        "`huddle play` comes first, every other byte stays, and `off` gives the settings back as they were",
        arguments: [
            (#"{"42":{}}"#, #"{"42":{"wrapperOptions":[OURS]}}"#),
            (
                "{\n  \"42\": {\n    \"a\": 1.50, \"b\": \"\\u00e9}]\"\n  },\n  \"version\": \"v0\"\n}\n",
                "{\n  \"42\": {\"wrapperOptions\":[OURS],\n    \"a\": 1.50, \"b\": \"\\u00e9}]\"\n  },\n  \"version\": \"v0\"\n}\n"
            ),
            (#"{"42":{"wrapperOptions": [ ]}}"#, #"{"42":{"wrapperOptions": [OURS ]}}"#),
            (
                #"{"42":{"wrapperOptions":[{"exe":"gamemoderun","args":""}],"c":[1,[2]]}, "wrapperOptions":7}"#,
                #"{"42":{"wrapperOptions":[OURS,{"exe":"gamemoderun","args":""}],"c":[1,[2]]}, "wrapperOptions":7}"#
            ),
        ]
    )
    func wraps(text: String, wrapped: String) throws {
        let wrapped = wrapped.replacing("OURS", with: Self.ours)
        #expect(playing(text, "celeste") == wrapped)
        #expect(HeroicWrapper(Array(wrapped.utf8), of: "42")?.playedGame == "celeste")
        #expect(playing(wrapped, "celeste") == wrapped)
        #expect(playing(wrapped, nil) == text && playing(text, nil) == text)
    }

    @Test("a wrapper that the user wrote is replaced, also behind another one")
    func replaces() {
        let text = #"{"42":{"wrapperOptions":[{"exe":"gamemoderun"}, {"exe":"huddle","args":"play old --anyway --"}]}}"#
        #expect(playing(text, "celeste") == #"{"42":{"wrapperOptions":[\#(Self.ours),{"exe":"gamemoderun"}]}}"#)
        #expect(playing(text, nil) == #"{"42":{"wrapperOptions":[{"exe":"gamemoderun"}]}}"#)
    }

    @Test("settings of another form are not changed", arguments: ["{", "{}", #"{"42":7}"#, #"{"43":{}}"#, ""])
    func strange(text: String) {
        #expect(HeroicWrapper(Array(text.utf8), of: "42") == nil)
    }

    @Test("a value that is no list of wrappers is not changed")
    func noList() { #expect(playing(#"{"42":{"wrapperOptions":{"a":1}}}"#, "celeste") == nil) }
}

@Suite("The command prefix of a game in Lutris", .timeLimit(.minutes(1)))
struct LutrisPrefixTests {
    private static let ours = "/usr/bin/huddle play celeste --from-launcher --"

    private func playing(_ text: String, _ game: String?) -> String? {
        LutrisPrefix(Array(text.utf8))?.playing(game, by: "/usr/bin/huddle").map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "`huddle play` comes first, every other line stays, and `off` removes it again",
        arguments: [
            (
                "game:\n  exe: /a\nsystem: {}\nwine: {}\n",
                "game:\n  exe: /a\nsystem:\n  prefix_command: 'OURS'\nwine: {}\n"
            ),
            (
                "system:\n  env:\n    A: 'x: y'\n  gamemode: true\nname: B\n",
                "system:\n  prefix_command: 'OURS'\n  env:\n    A: 'x: y'\n  gamemode: true\nname: B\n"
            ),
            (
                "name: B\nsystem:\n  prefix_command: 'nice -n 5'\n  gamemode: true\n",
                "name: B\nsystem:\n  prefix_command: 'OURS nice -n 5'\n  gamemode: true\n"
            ),
        ]
    )
    func wraps(text: String, wrapped: String) {
        let wrapped = wrapped.replacing("OURS", with: Self.ours)
        #expect(playing(text, "celeste") == wrapped)
        #expect(LutrisPrefix(Array(wrapped.utf8))?.playedGame == "celeste")
        #expect(playing(wrapped, "celeste") == wrapped)
        #expect(playing(wrapped, nil) == text && playing(text, nil) == text)
    }

    @Test("a section that is missing is added at the end")
    func added() {
        let wrapped = "name: B\nsystem:\n  prefix_command: '\(Self.ours)'\n"
        #expect(playing("name: B\n", "celeste") == wrapped)
        #expect(playing("name: B", "celeste") == String(wrapped.dropLast()))
        #expect(playing(wrapped, nil) == "name: B\nsystem: {}\n")
    }

    @Test("a prefix of several lines and quotes is read as Lutris reads it")
    func folded() {
        let text = "system:\n  prefix_command: env A='b'\n    gamemoderun\n  x: 1\n"
        #expect(
            playing(text, "celeste") == "system:\n  prefix_command: '\(Self.ours) env A=''b'' gamemoderun'\n  x: 1\n"
        )
    }

    @Test(
        "settings of another form are not changed",
        arguments: ["system: {gamemode: true}\nname: B\n", "a: [\n", "", "system: &x\n  a: 1\nb: *x\n"]
    )
    func strange(text: String) { #expect(playing(text, "celeste") == nil) }
}
