@testable import CommandTable
import Testing
import Workbench

@Suite("Completions", .timeLimit(.minutes(10)))
struct CompletionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The line up to the cursor; the last word is the one to complete.
        let line: String
        let offered: [String]
        var testDescription: String { line }

        init(_ line: String, _ offered: [String]) {
            (self.line, self.offered) = (line, offered)
        }
    }

    private static let rows = [
        Row("kit ", ["send", "play", "policy", "pair", "help", "completions", "manual"]),
        Row("kit p", ["play", "policy", "pair"]),
        Row("kit --socket x p", ["play", "policy", "pair"]),
        Row("kit --json -v po", ["policy"]),
        Row("kit --v", ["--verbose", "--version"]),
        Row(
            "kit send --",
            ["--json", "--verbose", "--socket", "--wait", "--limit", "--port", "--colour", "--force", "--help"]
        ),
        Row("kit send --colour ", ["auto", "never", "always"]),
        Row("kit send --colour n", ["never"]),
        Row("kit send --wait ", []),
        Row("kit policy ", ["set", "show"]),
        Row("kit policy --dry", ["--dry-run"]),
        Row("kit policy set ", ["accept", "ask", "block"]),
        Row("kit policy set --peer deck b", ["block"]),
        Row("kit policy set --peer ", []),
        Row("kit completions ", ["bash", "zsh", "fish"]),
        Row("kit help p", ["play", "policy", "pair"]),
        Row("kit send ap", ["apple", "apricot"]),
        Row("kit send --colour never ap", ["apple", "apricot"]),
        Row("kit --socket ap", ["apple", "apricot"]),
        Row("kit pair --folder ap", ["apricot"]),
        Row("kit pair ap", []),
    ]

    @Test("bash is offered the words that can follow", .needs(.program("bash")), arguments: rows)
    func bash(_ row: Row) throws {
        let run = try runInOrchard(
            ["bash", "--norc", "-c", bashHarness + "complete_line \"$@\"", "bash"] + row.line.bashWords,
            .bash
        )
        #expect(run.complaint == "")
        #expect(run.output.split(separator: "\n").map(String.init).sorted() == row.offered.sorted())
    }

    @Test(
        "bash completes after an equals sign, letters, and two dashes",
        .needs(.program("bash")),
        arguments: [
            Row("kit send --colour = n", ["never"]), Row("kit send --colour =", ["auto", "never", "always"]),
            Row("kit send -f --colour = auto ap", ["apple", "apricot"]),
            Row("kit play x -- tru", ["true", "truncate"]),
            Row("kit policy show -- --", []),
        ]
    )
    func bashDetails(_ row: Row) throws {
        let run = try runInOrchard(
            ["bash", "--norc", "-c", bashHarness + "complete_line \"$@\"", "bash"] + row.line.bashWords,
            .bash
        )
        #expect(Set(run.output.split(separator: "\n").map(String.init)) == Set(row.offered))
    }

    private static let named = [
        Row("kit policy show ", ["Deck", #"Living\ room"#, "celeste@1", "celeste@12", "saves@1"]),
        Row("kit policy set --peer D", ["Deck"]), Row(#"kit policy show Living\ r"#, [#"Living\ room"#]),
        Row("kit policy show celeste @", ["1", "12"]), Row("kit policy show celeste @ 12", ["12"]),
    ]

    @Test("bash is offered the names that the program knows", .needs(.program("bash")), arguments: named)
    func bashNames(_ row: Row) throws {
        let words = row.line.replacing(#"\ "#, with: "\u{1}").bashWords.map { $0.replacing("\u{1}", with: #"\ "#) }
        let run = try runInOrchard(
            ["bash", "--norc", "-c", knownNames + bashHarness + "complete_line \"$@\"", "bash"] + words,
            .bash
        )
        #expect(run.complaint == "")
        #expect(run.output.split(separator: "\n").map(String.init) == row.offered)
    }

    @Test("fish is offered the names that the program knows", .needs(.program("fish")))
    func fishNames() throws {
        let line = "function kit; test \"$argv\" = 'names peers'; and printf '%s\\n' Deck 'Living room'; end"
        let run = try runInOrchard(
            ["fish", "--no-config", "-c", "\(line); source kit.fish; complete -C 'kit policy show '"],
            .fish
        )
        #expect(run.complaint == "")
        #expect(run.output.contains("Deck") && run.output.contains("Living room"), "\(run.output)")
    }

    /// A stand-in for the program, which answers the requests of completions.
    private let knownNames = """
        kit() {
            [[ $* == 'names peers' ]] && printf '%s\\n' Deck 'Living room' celeste@1 celeste@12 saves@1
        }

        """

    @Test("fish is offered the words that can follow", .needs(.program("fish")), arguments: rows)
    func fish(_ row: Row) throws {
        let run = try runInOrchard(
            ["fish", "--no-config", "-c", "function kit; end; source kit.fish; complete -C $argv[1]", "--", row.line],
            .fish
        )
        let offered = run.output.split(separator: "\n").map { line in
            let word = line.prefix { $0 != "\t" }
            return String(word.hasSuffix("/") ? word.dropLast() : word)
        }
        #expect(run.complaint == "")
        #expect(Set(offered) == Set(row.offered), "\(offered)")
    }

    @Test(
        "Each shell reads its script without an error",
        .needs(.program("zsh")),
        .needs(.program("fish")),
        arguments: Shell.allCases
    )
    func parses(_ shell: Shell) throws {
        let run = try runInOrchard([shell.rawValue, "-n", "kit.\(shell.rawValue)"], shell)
        #expect(run.ending == .exit(0))
        #expect(run.complaint == "")
    }

    @Test("zsh gets options in the form of _arguments")
    func zsh() {
        let script = Kit.table.completions(for: .zsh)
        for line in [
            "'(--wait -w)'{--wait=,-w+}'[how long to wait for an answer]:DURATION: '",
            "'*'{--port=,-p+}'[a port to try]:PORT: '",
            "'(--colour)'--colour='[when to use colours]:WHICH:(auto never always)'",
            "'(--socket)'--socket='[the daemon'\\''s socket]:FILE:_files'",
            "'(--folder)'--folder='[where to put what comes]:FOLDER:_files -/'",
            "'*:FILE:_files'",
            "'*:::COMMAND:_normal'",
            "'::PEER:{_kit__names_of peers}'", "local -a names=(\"${(@f)$(kit names $1 2>/dev/null)}\")",
            "'send:send files to a peer'",
            "set) _kit__policy__set ;;",
        ] {
            #expect(script.contains(line), "\(line)")
        }
    }

    @Test("Every character of a help text is quoted")
    func quotes() {
        let flag = Flag("odd", help: #"it's [odd]: a \ and "$x" `y`"#)
        let row = Command("odd", summary: "it's odd", options: [flag], examples: [Example("odd", "do it")], action: ())
        let table = ProgramTable(row, version: "1")
        #expect(table.completions(for: .zsh).contains(#"'[it'\''s \[odd\]\: a \\ and "$x" `y`]'"#))
        #expect(table.completions(for: .fish).contains(#"-d 'it\'s [odd]: a \\ and "$x" `y`'"#))
        #expect("it's".singleQuoted == #"'it'\''s'"#)
        #expect("a-b.c".asFunctionName == "a_b_c")
    }

    /// Runs in a folder with a file `apple` and a folder `apricot` and the script.
    private func runInOrchard(_ words: [String], _ shell: Shell) throws -> ProgramRun {
        let folder = try TemporaryFolder()
        try folder.write(Kit.table.completions(for: shell), to: "kit.\(shell.rawValue)")
        try folder.write("", to: "apple")
        _ = try ProgramRun(["mkdir", "\(folder.path)/apricot"])
        let variables = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8"]
        return try ProgramRun(words, in: folder.path, environment: variables)
    }

    /// Does the steps of bash for Tab: fills the variables, calls the function, prints its replies.
    private let bashHarness = """
        compopt() { :; }
        source kit.bash
        complete_line() {
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
            COMP_LINE="$*"; COMP_LINE=${COMP_LINE// @ /@}; COMP_LINE=${COMP_LINE/ @/@}; COMP_POINT=${#COMP_LINE}; _kit; printf '%s\\n' "${COMPREPLY[@]}"
        }

        """
}

extension String {
    /// The words of a line as bash counts them: after a final space there is an empty one.
    fileprivate var bashWords: [String] {
        split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }
}
