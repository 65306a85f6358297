import CommandTable
import Testing
import Vocabulary

@Suite("Invalid command lines", .timeLimit(.minutes(5)))
struct RefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line: String
        let code: String
        let message: String
        let nextStep: String
        var environment: [String: String] = [:]
        var testDescription: String { line.isEmpty ? "(empty)" : line }

        init(
            _ line: String,
            _ code: String,
            _ message: String,
            _ nextStep: String,
            _ environment: [String: String] = [:]
        ) {
            (self.line, self.code, self.message, self.nextStep) = (line, code, message, nextStep)
            self.environment = environment
        }
    }

    @Test(
        "A mistake is refused with the rule and the words to type instead",
        arguments: [
            // Commands.
            Row("", "no-command", "“kit” needs a command", "choose one of send, play, policy, pair, help,"),
            Row("--json", "no-command", "“kit” needs a command", "“kit --help” explains them"),
            Row("policy", "no-command", "“kit policy” needs a command", "choose one of set, show;"),
            Row("sned", "unknown-command", "“kit” has no command “sned”", "did you mean “send”? “kit --help” lists"),
            Row("SEND", "unknown-command", "“kit” has no command “SEND”", "did you mean “send”?"),
            Row("comp", "unknown-command", "“kit” has no command “comp”", "did you mean “completions”?"),
            Row("xyzzy", "unknown-command", "“kit” has no command “xyzzy”", "“kit --help” lists its commands"),
            Row("policy shwo", "unknown-command", "“kit policy” has no command “shwo”", "did you mean “show”?"),
            Row("help polcy", "unknown-command", "“kit” has no command “polcy”", "did you mean “policy”?"),
            Row("help policy sett", "unknown-command", "“kit policy” has no command “sett”", "did you mean “set”?"),
            // Unknown options.
            Row(
                "send --jsn",
                "unknown-option",
                "“kit send” has no option “--jsn”",
                "did you mean “--json”? “kit send --"
            ),
            Row("send -json", "unknown-option", "“kit send” has no option “-json”", "did you mean “--json”?"),
            Row("send --wiat=3s", "unknown-option", "no option “--wiat”", "did you mean “--wait”?"),
            Row("send --j", "unknown-option", "no option “--j”", "“kit send --help” lists its options"),
            Row("send -fx", "unknown-option", "no option “-x”", "“kit send --help” lists its options"),
            Row("send --VERBOSE", "unknown-option", "no option “--VERBOSE”", "did you mean “--verbose”?"),
            Row(
                "--wait 3s send",
                "unknown-option",
                "“kit” has no option “--wait”",
                "“kit send” has it: write options of"
            ),
            Row("policy set --dry", "unknown-option", "no option “--dry”", "did you mean “--dry-run”?"),
            Row("send --version", "unknown-option", "no option “--version”", "lists its options"),
            Row("send --=x", "unknown-option", "no option “--”", "lists its options"),
            // Values.
            Row("send --wait", "missing-value", "the value of --wait is missing", "write --wait DURATION"),
            Row("send -w", "missing-value", "the value of -w is missing", "write -w DURATION"),
            Row("send -fw", "missing-value", "the value of -w is missing", "write -w DURATION"),
            Row("send --wait --force", "missing-value", "“--force” is an option itself", "--wait=--force if that"),
            Row("send --wait -- a", "missing-value", "“--” is an option itself", "write --wait DURATION"),
            Row(
                "send --force=yes a b",
                "unexpected-value",
                "--force takes no value, but “yes” is",
                "write just --force"
            ),
            Row("send --help=all", "unexpected-value", "--help takes no value", "write just --help"),
            Row("send a b -w1s --wait=2s", "repeated-option", "--wait is given more than once", "give it once"),
            Row("send a b -w5x", "bad-value", "--wait: “5x” is not a duration", "write it like 300ms, 5s, 2m"),
            Row("send a b --wait=", "bad-value", "--wait: “” is not a duration", "write it like 300ms"),
            Row(
                "send a b -p0",
                "bad-value",
                "--port: “0” is not a port from 1 to 65535: it is too small",
                "write a whole number from 1 to 65535"
            ),
            Row("send a b --colour alway", "bad-value", "the choices are auto, never, always", "mean “always”?"),
            Row(
                "send a b --colour blue",
                "bad-value",
                "“blue” is not allowed here",
                "choose one of auto, never, always"
            ),
            Row("send a b", "bad-value", "KIT_WAIT in the environment: “x”", "write it like", ["KIT_WAIT": "x"]),
            Row("send a b", "bad-value", "KIT_JSON in the environment: “maybe”", "1 or 0", ["KIT_JSON": "maybe"]),
            Row("policy set --peer a allow", "bad-value", "RULE: “allow” is not allowed here", "choose one of accept"),
            Row("pair deck --type a_b", "bad-value", "--type: “a_b” is not a service type", "choose a name like"),
            Row("pair ::1", "bad-value", "ADDRESS: “::1” is not a host and port", "write it like"),
            Row("completions tcsh", "bad-value", "SHELL: “tcsh” is not allowed here", "choose one of bash, zsh"),
            Row("manual kit-sned", "bad-value", "PAGE: “kit-sned” is not a page", "did you mean “kit-send”?"),
            Row("manual nothing", "bad-value", "the manual has no page of that name", "add --list to see the names"),
            // Arguments.
            Row(
                "send",
                "missing-argument",
                "“kit send” needs FILE: what to send",
                "write “kit send [OPTION]... FILE..."
            ),
            Row("send a", "missing-argument", "“kit send” needs PEER: whom to send it to", "FILE... PEER”"),
            Row("policy set --peer a", "missing-argument", "needs RULE: what happens then", "write “kit policy set"),
            Row("policy set block", "missing-option", "--peer must be given", "add --peer PEER: whose policy it is"),
            Row(
                "policy show a b",
                "too-many-arguments",
                "“b” is one argument too many for “kit policy show”",
                "[PEER]”"
            ),
            Row(
                "play x",
                "missing-argument",
                "“kit play” needs COMMAND after --: the game to run",
                "SET -- COMMAND..."
            ),
            Row("play x --", "missing-argument", "“kit play” needs COMMAND after --", "SET -- COMMAND...”"),
            Row("play x ./game", "too-many-arguments", "“./game” is one argument too many", "write -- before it"),
        ]
    )
    func isRefused(_ row: Row) throws {
        let error = try #require(throws: UsageError.self) { try Kit.outcome(row.line, row.environment) }
        #expect(error.code.description == "usage.\(row.code)")
        #expect(error.message.contains(row.message), "\(error)")
        #expect(error.nextStep.contains(row.nextStep), "\(error)")
    }

    @Test(
        "Typed control characters are never printed",
        arguments: [
            ["\u{1B}[31mred"], ["--\u{1B}[31mred"], ["-\u{202E}x"], ["send", "--force=\u{7}", "a", "b"],
            ["send", "a", "b", "--wait=\u{1B}c"], ["send", "a", "b", "--colour=\u{202E}"],
            ["policy", "show", "a", "\u{9B}"],
            ["send", "a", "b", "-l", "1\u{1B}"], ["send", "a", "b", "-w", "1\u{1B}"], ["manual", "\u{1B}"],
            ["help", "\u{1B}"], ["--socket", "--socket"], ["pair", "\u{1B}"], ["pair", "deck", "--name", "\u{1B}"],
        ]
    )
    func isPrintable(_ words: [String]) throws {
        let error = try #require(throws: UsageError.self) { try Kit.outcome(words) }
        for scalar in error.description.unicodeScalars {
            #expect(scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format)
        }
    }

    @Test("Bytes that are no text are not taken for another name")
    func isText() throws {
        let latin1 = Array("send caf".utf8) + [0xE9]
        let words = latin1.split(separator: UInt8(ascii: " ")).map(Array.init) + [Array("deck".utf8)]
        let error = try #require(throws: UsageError.self) { try Kit.table.read(typed: words) }
        #expect(error.code.description == "usage.not-utf8")
        #expect(error.message.hasPrefix("“caf\u{FFFD}” is not UTF-8"))
        #expect(error.nextStep.contains("convmv"))
    }

    @Test("A very long line is refused at once and briefly")
    func isBounded() throws {
        let word = String(repeating: "x", count: 1_000_000)
        for words in [[word], ["--\(word)"], ["-\(word)"], ["send", "a", "b", "--colour", word]] {
            let error = try #require(throws: UsageError.self) { try Kit.outcome(words) }
            #expect(error.description.count < 500)
        }
    }
}
