import CommandTable
import Vocabulary

/// A table with each kind of argument and option, for the tests of this module. An action returns the given values.
enum Kit {
    typealias Describe = @Sendable (GivenValues) -> String

    enum Colour: String, CaseIterable {
        case auto, never, always
    }

    static let json = Flag("json", environment: "KIT_JSON", help: "print one JSON object a line")
    static let verbosity = Option(counting: "verbose", short: "v", help: "say more; twice says everything")
    static let socket = Option("socket", .file, environment: "KIT_SOCKET", help: "the daemon's socket")

    static let table = ProgramTable(
        Command<Describe>(
            group: "kit",
            summary: "try every kind of option",
            discussion: """
                The first paragraph is long enough to be
                broken over lines.

                The second follows a blank line:

                    kit     stays
                    as it   stands

                The third ends it.
                """,
            options: [json, verbosity, socket],
            examples: [Example("kit send a.txt deck", "send a file")],
            exitCodes: [.success, .usage, ExitCode(3, "the daemon is not running")],
            subcommands: [Send.row, Play.row, policy, Pair.row]
        ),
        version: "1.2.3",
        names: ["PEER": "peers"]
    )

    static let policy = Command<Describe>(
        group: "policy",
        summary: "say who may do what",
        options: [Flag("dry-run", short: "n", help: "change nothing")],
        subcommands: [SetPolicy.row, ShowPolicy.row]
    )
}

extension Kit {
    enum Send {
        static let wait = Option(
            "wait",
            short: "w",
            .duration,
            default: .seconds(5),
            environment: "KIT_WAIT",
            help: "how long to wait for an answer"
        )
        static let limit = Option("limit", short: "l", .byteCount, help: "how much to send in a second")
        static let ports = Option(repeating: "port", short: "p", .port, help: "a port to try")
        static let colour = Option("colour", .choice, default: Colour.auto, help: "when to use colours")
        static let force = Flag("force", short: "f", help: "replace what is there")
        static let files = Argument(repeating: "FILE", .file, help: "what to send")
        static let peer = Argument("PEER", .text, help: "whom to send it to")

        static let row = Command<Describe>(
            "send",
            summary: "send files to a peer",
            arguments: [files, peer],
            options: [wait, limit, ports, colour, force],
            examples: [Example("kit send a.txt b.txt deck", "send two files")],
            action: { given in
                let limit = given[limit].map(\.description) ?? "none"
                let switches = [given[force] ? "force" : nil, given[json] ? "json" : nil].compactMap(\.self)
                return """
                    send \(given[files]) to \(given[peer]) wait \(given[wait]) limit \(limit) ports \(given[ports]) \
                    \(given[colour]) v\(given[verbosity]) \(switches) \(given[socket] ?? "-")
                    """
            }
        )
    }

    enum Play {
        static let set = Argument("SET", .text, help: "the save set")
        static let command = Argument(rest: "COMMAND", help: "the game to run")

        static let row = Command<Describe>(
            "play",
            summary: "run a game with its newest save",
            arguments: [set, command],
            examples: [Example("kit play stardew -- ./stardew --windowed", "play")],
            action: { given in "play \(given[set]) \(given[command])" }
        )
    }

    enum SetPolicy {
        static let peer = Option(required: "peer", .text.named("PEER"), help: "whose policy it is")
        static let rule = Argument("RULE", .oneOf(["accept", "ask", "block"]), help: "what happens then")

        static let row = Command<Describe>(
            "set",
            summary: "choose a policy",
            arguments: [rule],
            options: [peer],
            examples: [Example("kit policy set --peer deck block", "never hear of deck again")],
            action: { given in "policy \(given[peer]) \(given[rule])" }
        )
    }

    enum ShowPolicy {
        static let peer = Argument(optional: "PEER", .text, help: "only this one")

        static let row = Command<Describe>(
            "show",
            summary: "show the policies",
            arguments: [peer],
            examples: [Example("kit policy show", "show all of them")],
            action: { given in "show \(given[peer] ?? "all")" }
        )
    }

    enum Pair {
        static let type = Option("type", .serviceType, default: .huddle, help: "kind of service")
        static let name = Option("name", .instanceName, help: "what others see")
        static let count = Option("count", .integer(in: -3...3), default: 0, help: "how often to ask")
        static let folder = Option("folder", .folder, help: "where to put what comes")
        static let address = Argument("ADDRESS", .hostAndPort(defaultPort: 4242), help: "where the peer is")

        static let row = Command<Describe>(
            "pair",
            summary: "meet a peer for the first time",
            arguments: [address],
            options: [type, name, count, folder],
            examples: [Example("kit pair deck.local", "meet deck")],
            action: { given in
                "pair \(given[address]) \(given[type]) \(given[name]?.text ?? "-") \(given[count]) \(given[folder] ?? "-")"
            }
        )
    }
}

extension Kit {
    /// The result of a command line: the given values of its command, or the text to show.
    static func outcome(_ words: [String], _ environment: [String: String] = [:]) throws(UsageError) -> String {
        switch try table.read(words, environment: environment) {
        case .show(let text): text
        case .perform(let describe, let given): describe(given)
        }
    }

    /// The same for a line whose words have no spaces.
    static func outcome(_ line: String, _ environment: [String: String] = [:]) throws(UsageError) -> String {
        try outcome(line.split(separator: " ").map(String.init), environment)
    }
}
