import CommandTable
import Testing

@Suite("Valid command lines", .timeLimit(.minutes(5)))
struct ReadingTests {
    private static let plain = "wait 5.0 seconds limit none ports [] auto v0 [] -"

    @Test(
        "A line is read by the GNU rules",
        arguments: [
            ("send a deck", #"send ["a"] to deck wait 5.0 seconds limit none ports [] auto v0 [] -"#),
            ("send a b c deck", #"send ["a", "b", "c"] to deck \#(plain)"#),
            ("send - deck", #"send ["-"] to deck \#(plain)"#),
            ("send -5 -0.5 deck", #"send ["-5", "-0.5"] to deck \#(plain)"#),
            ("send --wait=2m a deck", #"send ["a"] to deck wait 120.0 seconds limit none ports [] auto v0 [] -"#),
            ("send --wait 2m a deck", #"send ["a"] to deck wait 120.0 seconds limit none ports [] auto v0 [] -"#),
            ("send -w2m a deck", #"send ["a"] to deck wait 120.0 seconds limit none ports [] auto v0 [] -"#),
            ("send -w 2m a deck", #"send ["a"] to deck wait 120.0 seconds limit none ports [] auto v0 [] -"#),
            ("send a -w 2m deck", #"send ["a"] to deck wait 120.0 seconds limit none ports [] auto v0 [] -"#),
            ("send a deck -fw2m", #"send ["a"] to deck wait 120.0 seconds limit none ports [] auto v0 ["force"] -"#),
            ("send a deck -fvv", #"send ["a"] to deck wait 5.0 seconds limit none ports [] auto v2 ["force"] -"#),
            ("-v send a deck -v --verbose", #"send ["a"] to deck wait 5.0 seconds limit none ports [] auto v3 [] -"#),
            (
                "send a deck -p1 --port 65535",
                #"send ["a"] to deck wait 5.0 seconds limit none ports [1, 65535] auto v0 [] -"#
            ),
            ("send a deck --limit 64KiB", #"send ["a"] to deck wait 5.0 seconds limit 64KiB ports [] auto v0 [] -"#),
            ("send a deck --colour=never", #"send ["a"] to deck wait 5.0 seconds limit none ports [] never v0 [] -"#),
            (
                "send --force --force a deck",
                #"send ["a"] to deck wait 5.0 seconds limit none ports [] auto v0 ["force"] -"#
            ),
            (
                "send -f -- -a --json deck",
                #"send ["-a", "--json"] to deck wait 5.0 seconds limit none ports [] auto v0 ["force"] -"#
            ),
            ("--json send a deck", #"send ["a"] to deck wait 5.0 seconds limit none ports [] auto v0 ["json"] -"#),
            ("send a deck --json", #"send ["a"] to deck wait 5.0 seconds limit none ports [] auto v0 ["json"] -"#),
            ("--socket /s send a deck", #"send ["a"] to deck wait 5.0 seconds limit none ports [] auto v0 [] /s"#),
            ("--socket=a=b send a deck", #"send ["a"] to deck wait 5.0 seconds limit none ports [] auto v0 [] a=b"#),
            ("--socket -x send a deck", #"send ["a"] to deck wait 5.0 seconds limit none ports [] auto v0 [] -x"#),
            (
                "--socket=--json send a deck",
                #"send ["a"] to deck wait 5.0 seconds limit none ports [] auto v0 [] --json"#
            ),
            ("play stardew -- game --json -- x", #"play stardew ["game", "--json", "--", "x"]"#),
            ("policy set --peer deck block", "policy deck block"),
            ("policy set block --peer=deck", "policy deck block"),
            ("policy -n set block --peer=deck", "policy deck block"),
            ("policy show", "show all"),
            ("policy show deck", "show deck"),
            ("policy show -- -n", "show -n"),
            ("pair deck.local", "pair deck.local:4242 _huddle._tcp - 0 -"),
            ("pair 10.0.0.7:1 --count=-3", "pair 10.0.0.7:1 _huddle._tcp - -3 -"),
            ("pair 10.0.0.7:1 --count -3", "pair 10.0.0.7:1 _huddle._tcp - -3 -"),
            ("pair [fe80::1%eth0] --type _x._udp", "pair [fe80::1%eth0]:4242 _x._udp - 0 -"),
            ("pair deck --name Döck --folder /tmp", "pair deck:4242 _huddle._tcp Döck 0 /tmp"),
        ]
    )
    func isRead(_ line: String, _ expected: String) throws {
        #expect(try Kit.outcome(line) == expected)
    }

    @Test("Empty texts and spaces are unchanged")
    func keepsWords() throws {
        #expect(try Kit.outcome(["policy", "show", ""]) == "show ")
        #expect(try Kit.outcome(["policy", "show", "living room"]) == "show living room")
        #expect(try Kit.outcome(["policy", "set", "block", "--peer="]) == "policy  block")
    }

    @Test(
        "A value that the line does not have comes from the environment",
        arguments: [
            (["KIT_WAIT": "1s"], "send a deck", "1.0 seconds"),
            (["KIT_WAIT": "1s"], "send a deck -w 2s", "2.0 seconds"),
            (["KIT_WAIT": ""], "send a deck", "5.0 seconds"),
            (["KIT_JSON": "1"], "send a deck", #"["json"]"#),
            (["KIT_JSON": "YES"], "send a deck", #"["json"]"#),
            (["KIT_JSON": "off"], "send a deck", "v0 [] -"),
            (["KIT_JSON": "0"], "send a deck --json", #"["json"]"#),
            (["KIT_SOCKET": "/run/kit"], "send a deck", "/run/kit"),
        ]
    )
    func takesFromEnvironment(_ environment: [String: String], _ line: String, _ part: String) throws {
        #expect(try Kit.outcome(line, environment).contains(part))
    }

    @Test(
        "A request for help shows a page",
        arguments: [
            ("--version", "kit 1.2.3\n"),
            ("--help", "Usage: kit [OPTION]... COMMAND\n"),
            ("-h", "Usage: kit [OPTION]... COMMAND\n"),
            ("help", "Usage: kit [OPTION]... COMMAND\n"),
            ("send --help", "Usage: kit send [OPTION]... FILE... PEER\n"),
            ("send -fh", "Usage: kit send [OPTION]... FILE... PEER\n"),
            ("send --wait=1s a -h --nonsense", "Usage: kit send [OPTION]... FILE... PEER\n"),
            ("help send", "Usage: kit send [OPTION]... FILE... PEER\n"),
            ("help policy", "Usage: kit policy [OPTION]... COMMAND\n"),
            ("help policy set", "Usage: kit policy set [OPTION]... --peer PEER RULE\n"),
            ("policy show --help", "Usage: kit policy show [OPTION]... [PEER]\n"),
            ("play --help", "Usage: kit play [OPTION]... SET -- COMMAND...\n"),
            ("help help", "Usage: kit help [OPTION]... [COMMAND...]\n"),
            ("completions bash", "# bash completion for kit"),
            ("completions zsh", "#compdef kit\n"),
            ("completions fish", "# fish completion for kit"),
            ("manual", ".TH KIT 1 "),
            ("manual send", #".TH KIT\-SEND 1 "#),
            ("manual kit-policy-set", #".TH KIT\-POLICY\-SET 1 "#),
            ("manual kit-policy-set.1", #".TH KIT\-POLICY\-SET 1 "#),
            ("manual --list", "kit.1\nkit-send.1\nkit-play.1\nkit-policy.1\nkit-policy-set.1\n"),
        ]
    )
    func asksForPage(_ line: String, _ beginning: String) throws {
        let page = try Kit.outcome(line)
        #expect(page.hasPrefix(beginning), "\(page.prefix(200))")
        #expect(page.hasSuffix("\n"))
    }
}

@Suite("Programs without commands", .timeLimit(.minutes(5)))
struct LoneProgramTests {
    private static let state = Option(
        "state",
        short: "s",
        .folder,
        default: "/var/lib/kit",
        help: "where it keeps things"
    )
    private static let name = Argument("NAME", .text, help: "its name")
    private static let table = ProgramTable(
        Command(
            "kitd",
            summary: "do it in the background",
            arguments: [name],
            options: [state],
            examples: [Example("kitd deck", "run as deck")],
            action: "run"
        ),
        version: "1.2.3",
        manualSection: 8
    )

    private func outcome(_ words: String...) throws(UsageError) -> String {
        switch try Self.table.read(words) {
        case .show(let text): text
        case .perform(let action, let given): "\(action) \(given[Self.name]) \(given[Self.state]) \(given.path)"
        }
    }

    @Test("The program itself is performed")
    func performs() throws {
        #expect(try outcome("deck", "-s/x") == #"run deck /x ["kitd"]"#)
        #expect(try outcome("help") == #"run help /var/lib/kit ["kitd"]"#)
    }

    @Test("An option shows the help, even if a required argument is missing")
    func shows() throws {
        #expect(try outcome("--version") == "kitd 1.2.3\n")
        #expect(try outcome("--help").hasPrefix("Usage: kitd [OPTION]... NAME\n"))
        #expect(try outcome("--manual").hasPrefix(".TH KITD 8 "))
        #expect(try outcome("--completions", "bash").contains("complete -F _kitd kitd"))
        #expect(throws: UsageError.self) { try outcome("--completions", "csh") }
    }

    @Test("The program has no faults and one page")
    func isSound() {
        #expect(Self.table.faults == [])
        #expect(Self.table.manualPages().map(\.fileName) == ["kitd.8"])
    }
}
