@testable import CommandTable
import Testing

@Suite("Text layout", .timeLimit(.minutes(5)))
struct LayoutTests {
    @Test(
        "Words fill lines up to the width",
        arguments: [
            ("", 10, []),
            ("one", 10, ["one"]),
            ("one two", 7, ["one two"]),
            ("one two", 6, ["one", "two"]),
            ("a  b   c", 80, ["a b c"]),
            ("enormous a b", 3, ["enormous", "a b"]),
            ("é è ê", 3, ["é è", "ê"]),
        ]
    )
    func wraps(_ text: String, _ width: Int, _ lines: [String]) {
        #expect(TextLayout.wrapped(text, width: width) == lines)
    }

    @Test(
        "A line that is too long continues below, and one that fits is unchanged",
        arguments: [
            ("a  b", 10, "a  b"), ("one two three", 9, "one two\n  three"),
            ("a  b\n  one two three\n", 11, "a  b\n  one two\n    three\n"),
            ("enormous a", 3, "enormous\n  a"),
            ("", 9, ""),
            ("one two", .max, "one two"),
            ("@1     one two  three four", 21, "@1     one two  three\n       four"),
            ("a long first column  one two", 21, "a long first column\n  one two"),
            ("the code is 482 913.", 18, "the code is\n  482 913."),
            ("look at `huddle list` now", 23, "look at `huddle list`\n  now"),
            ("and look at `saves list` now", 22, "and look at\n  `saves list` now"),
            ("a `b c d e` f", 8, "a `b c d\n  e` f"),
            ("  → huddle join celeste", 12, "  → huddle join celeste"),
        ]
    )
    func folds(_ text: String, _ width: Int, _ folded: String) {
        #expect(TextLayout.folded(text, width: width) == folded)
    }

    @Test("Paragraphs end at blank lines, and indented lines are unchanged")
    func paragraphs() {
        let text = "one\ntwo\n\n\nthree\n    four   4\n    five\nsix"
        #expect(
            TextLayout.paragraphs(text) == [
                .flowing("one two"), .flowing("three"), .asItStands("    four   4"), .asItStands("    five"),
                .flowing("six"),
            ]
        )
        #expect(
            TextLayout.lines(text, width: 80) == [
                "one two",
                "",
                "three",
                "",
                "    four   4",
                "    five",
                "",
                "six",
            ]
        )
        #expect(TextLayout.lines("", width: 80) == [])
    }

    @Test("Columns are aligned, and a left side that is too wide has a line to itself")
    func columns() {
        let wide = String(repeating: "w", count: 29)
        let rows = [("a", "first"), ("bbb", "one two three four five six"), (wide, "last"), ("c", "")]
        #expect(
            TextLayout.columns(rows, width: 33) == [
                "  a    first",
                "  bbb  one two three four five",
                "       six",
                "  \(wide)",
                "       last",
                "  c",
            ]
        )
        #expect(TextLayout.columns([("a", "one"), ("bbb", "two")], width: 27) == ["  a   one", "  bbb", "      two"])
        #expect(TextLayout.columns([], width: 80) == [])
    }

    @Test(
        "A phrase becomes a sentence",
        arguments: [("", ""), ("do it", "Do it."), ("ask (x)", "Ask (x)"), ("Why?", "Why?"), ("école", "École.")]
    )
    func sentence(_ phrase: String, _ sentence: String) {
        #expect(phrase.asSentence == sentence)
    }
}

@Suite("Help pages", .timeLimit(.minutes(5)))
struct HelpPageTests {
    @Test("The page of a command has all of its parts")
    func command() throws {
        #expect(
            try Kit.outcome("send --help") == """
                Usage: kit send [OPTION]... FILE... PEER

                Send files to a peer.

                Arguments:
                  FILE  what to send
                  PEER  whom to send it to

                Options:
                  -w, --wait DURATION  how long to wait for an answer (default: 5s; also
                                       KIT_WAIT in the environment)
                  -l, --limit SIZE     how much to send in a second
                  -p, --port PORT      a port to try (may be repeated)
                      --colour WHICH   when to use colours (auto, never, always; default: auto)
                  -f, --force          replace what is there
                  -h, --help           show this help

                Options of every kit command:
                      --json         print one JSON object a line (also KIT_JSON in the
                                     environment)
                  -v, --verbose      say more; twice says everything (may be repeated)
                      --socket FILE  the daemon's socket (also KIT_SOCKET in the environment)

                Examples:
                  kit send a.txt b.txt deck
                      send two files

                """
        )
    }

    @Test("The page of the program lists its commands and codes")
    func program() throws {
        #expect(
            try Kit.outcome("help") == """
                Usage: kit [OPTION]... COMMAND

                Try every kind of option.

                The first paragraph is long enough to be broken over lines.

                The second follows a blank line:

                    kit     stays
                    as it   stands

                The third ends it.

                Commands:
                  send         send files to a peer
                  play         run a game with its newest save
                  policy       say who may do what
                  pair         meet a peer for the first time
                  help         explain a command
                  completions  print a completion script for a shell
                  manual       print a manual page as roff

                Options:
                      --json         print one JSON object a line (also KIT_JSON in the
                                     environment)
                  -v, --verbose      say more; twice says everything (may be repeated)
                      --socket FILE  the daemon's socket (also KIT_SOCKET in the environment)
                  -h, --help         show this help
                      --version      show the version

                Examples:
                  kit send a.txt deck
                      send a file

                “kit help COMMAND” explains a command.

                """
        )
    }

    @Test("A page says which arguments are required, and the choices")
    func requiredAndChoices() throws {
        let page = try Kit.outcome("policy set --help")
        #expect(page.contains("  RULE  what happens then (accept, ask, block)\n"))
        #expect(page.contains("      --peer PEER  whose policy it is (required)\n"))
        #expect(page.contains("Options of every kit command:\n"))
        #expect(page.contains("  -n, --dry-run      change nothing\n"))
    }

    @Test("A page keeps to its width", arguments: [40, 60, 80, 100, 120])
    func width(_ width: Int) {
        for command in Kit.table.outline.all {
            let page = HelpPage(command, of: Kit.table.outline, width: width).text
            for line in page.split(separator: "\n") where line.count > width {
                // An example must stay copyable, and indented lines are unchanged.
                #expect(line.hasPrefix("  kit ") || line.hasPrefix("  source") || line.hasPrefix("    "), "\(line)")
            }
        }
    }

    @Test("A page has a readable width on any terminal", arguments: [-1, 0, 1, 10_000])
    func extremeWidth(_ width: Int) {
        let outline = Kit.table.outline
        let lengths = HelpPage(outline, of: outline, width: width).text.split(separator: "\n").map(\.count)
        #expect((30...120).contains(lengths.max() ?? 0))
    }
}
