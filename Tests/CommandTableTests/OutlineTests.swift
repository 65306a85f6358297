@testable import CommandTable
import Testing

@Suite("Outlines of programs", .timeLimit(.minutes(5)))
struct OutlineTests {
    private let outline = Kit.table.outline

    @Test("The outline has every command in the order of the table, the built-in ones last")
    func order() {
        #expect(
            outline.all.map(\.typed) == [
                "kit",
                "kit send",
                "kit play",
                "kit policy",
                "kit policy set",
                "kit policy show",
                "kit pair",
                "kit help",
                "kit completions",
                "kit manual",
            ]
        )
    }

    @Test(
        "A command has its line of usage",
        arguments: [
            ("kit", "kit [OPTION]... COMMAND"),
            ("kit send", "kit send [OPTION]... FILE... PEER"),
            ("kit play", "kit play [OPTION]... SET -- COMMAND..."),
            ("kit policy", "kit policy [OPTION]... COMMAND"),
            ("kit policy set", "kit policy set [OPTION]... --peer PEER RULE"),
            ("kit policy show", "kit policy show [OPTION]... [PEER]"),
            ("kit help", "kit help [OPTION]... [COMMAND...]"),
            ("kit manual", "kit manual [OPTION]... [PAGE]"),
        ]
    )
    func usage(_ typed: String, _ usage: String) throws {
        let command = try #require(outline.firstCommand { $0.typed == typed })
        #expect(command.usage == usage)
    }

    @Test("A command inherits options, those of the program first")
    func inheritance() throws {
        let set = try #require(outline.subcommand("policy")?.subcommand("set"))
        #expect(set.inherited.map(\.shape.name) == ["json", "verbose", "socket", "dry-run"])
        #expect(set.visibleOptions.map(\.name) == ["json", "verbose", "socket", "dry-run", "peer"])
        #expect(set.completedOptions.map(\.name) == ["json", "verbose", "socket", "dry-run", "peer", "help"])
        #expect(outline.inherited.isEmpty)
        #expect(outline.completedOptions.map(\.name) == ["json", "verbose", "socket", "help", "version"])
    }

    @Test("A command has its parent and its subcommands")
    func places() throws {
        let set = try #require(outline.subcommand("policy")?.subcommand("set"))
        #expect(set.name == "set")
        #expect(set.manualName == "kit-policy-set")
        #expect(!set.isRoot)
        #expect(outline.isRoot)
        #expect(outline.subcommand("nothing") == nil)
        #expect(outline.firstCommand { $0.name == "nothing" } == nil)
    }

    @Test(
        "An argument has its form in the line of usage",
        arguments: [
            (Argument("A", .text, help: "x") as any DeclaredArgument, "A"),
            (Argument(optional: "A", .text, help: "x"), "[A]"),
            (Argument(repeating: "A", .text, help: "x"), "A..."),
            (Argument(repeating: "A", .text, atLeast: 0, help: "x"), "[A...]"),
            (Argument(rest: "A", help: "x"), "-- A..."),
            (Argument(rest: "A", atLeast: 0, help: "x"), "[-- A...]"),
        ]
    )
    func arguments(_ argument: any DeclaredArgument, _ usage: String) {
        #expect(argument.shape.usage == usage)
    }

    @Test(
        "An option has its form and its explanation",
        arguments: [
            (Flag("force", help: "do it") as any DeclaredOption, ["--force"], "do it"),
            (Flag("force", short: "f", help: "do it"), ["--force", "-f"], "do it"),
            (Option("for", .duration, help: "wait"), ["--for"], "wait"),
            (Option("for", .duration, default: .seconds(1), help: "wait"), ["--for"], "wait (default: 1s)"),
            (Option(required: "for", .duration, help: "wait"), ["--for"], "wait (required)"),
            (Option(repeating: "for", .duration, help: "wait"), ["--for"], "wait (may be repeated)"),
            (Option(counting: "loud", help: "say more"), ["--loud"], "say more (may be repeated)"),
            (Option("a", .oneOf(["b", "c"]), help: "pick"), ["--a"], "pick (b, c)"),
            (Option("a", .text, environment: "A", help: "say"), ["--a"], "say (also A in the environment)"),
            (
                Option("a", .oneOf(["b"]), default: "b", environment: "A", help: "pick"), ["--a"],
                "pick (b; default: b; also A in the environment)"
            ),
        ]
    )
    func options(_ option: any DeclaredOption, _ forms: [String], _ explanation: String) {
        #expect(option.shape.forms == forms)
        #expect(option.shape.explanation == explanation)
    }
}
