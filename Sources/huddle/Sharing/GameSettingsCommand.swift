import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle set` and `huddle scan`: the settings of a game, and reading its folder now.
enum GameSettingsCommand {
    private static let newPlace = Option("at", .folder, help: "the folder in which the game saves from now on")
    private static let added = Option(
        repeating: "add",
        .file,
        help: "a file in its folder that belongs to it from now on, if it is made of files"
    )
    private static let dropped = Option(
        repeating: "drop",
        .file,
        help: "a file that belongs to it here no longer; it stays in the folder"
    )
    private static let name = Option("name", .text.named("NAME"), help: "its name here")
    private static let emptied = Flag("emptied", help: "send a folder that has lost its files as it is")
    private static let whole = Flag("whole", help: "read every byte, also of files that look unchanged")

    static let row = Command<CommandAction>(
        "set",
        summary: "change the settings of a game",
        discussion: """
            What is not said stays. What --ignore and --local say comes to the patterns that are there; --no-ignore and --no-local take one away. Where it is put into another folder, or more files of it are chosen here, what is newest is put there; where something \
            else lies there already, that is a conflict for a person, and nothing is overwritten.
            """,
        arguments: [GameAsking.game],
        options: [newPlace, name, added, dropped] + SaveOptions.all + AskingOptions.all,
        examples: [
            Example("huddle set celeste --settle 2s", "the game saves in several steps"),
            Example("huddle set celeste --keep 20 --keep-days 90 --keep-space 2GiB", "which versions stay"),
            Example("huddle set celeste --program Celeste.bin.x86_64", "what the game's program is called"),
            Example("huddle set celeste --at /mnt/sd/Celeste", "the folder was moved"),
            Example("huddle set celeste --ignore '*.log' --no-ignore '*.tmp'", "a pattern more, and one less"),
            Example("huddle set game --add ~/.game/slot3.sav", "one more file of its folder"),
            Example("huddle set game --drop slot1.sav --add save1.dat", "the game calls it otherwise now"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        var body = try GameBody(given)
        body.fields.set("path", given[newPlace].map(WholePath.of))
        body.fields.set("name", given[name])
        for (key, paths) in [("add", given[added]), ("drop", given[dropped])] where !paths.isEmpty {
            // A name alone is one in the set's folder, wherever this is typed.
            body.fields.set(key, paths.map { $0.utf8.contains(UInt8(ascii: "/")) ? WholePath.of($0) : $0 })
        }
        let question = ControlQuestion("PUT", ["v1", "saves", given[GameAsking.game]], saying: body)
        return try await Daemon.show(question, given, console, signals)
    }

    static let scanning = Command<CommandAction>(
        "scan",
        summary: "read the folder of a game now",
        discussion:
            "huddled does so by itself after each change. This is for file systems that don't tell of changes, such as network shares.",
        arguments: [GameAsking.game],
        options: [whole, emptied] + AskingOptions.all,
        examples: [
            Example("huddle scan celeste --whole", "trust no time stamp"),
            Example("huddle scan celeste --emptied", "send a folder that lost its files as it is"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        var body = GameBody()
        body.fields.set("whole", given[whole])
        body.fields.set("emptied", given[emptied])
        let question = ControlQuestion("POST", ["v1", "saves", given[GameAsking.game], "versions"], saying: body)
        return try await Daemon.show(question, given, console, signals)
    }
}
