import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle set` and `huddle scan`: change the settings of a game, and read its folder now.
enum GameSettingsCommand {
    private static let newPlace = Option("at", .folder, help: "the new folder of the game's saves")
    private static let added = Option(
        repeating: "add",
        .file,
        help: "another file of the folder that belongs to the game, if the game is some files of a folder"
    )
    private static let dropped = Option(
        repeating: "drop",
        .file,
        help: "a file that no longer belongs to the game here; it stays in the folder"
    )
    private static let name = Option("name", .text.named("NAME"), help: "its name here")
    private static let emptied = Flag("emptied", help: "send a folder that has lost its files as it is")
    private static let whole = Flag("whole", help: "read every byte, also of files that look unchanged")

    static let row = Command<CommandAction>(
        "set",
        summary: "change the settings of a game",
        discussion: """
            Settings that are not named stay. --ignore and --local add patterns; --no-ignore and --no-local remove \
            them. If the game gets another folder or more files, its newest version goes there. If other files are \
            there already, that is a conflict, and nothing is overwritten.
            """,
        arguments: [GameAsking.game],
        options: [newPlace, name, added, dropped] + SaveOptions.all + AskingOptions.all,
        examples: [
            Example("huddle set celeste --settle 2s", "a game that saves in several steps"),
            Example("huddle set celeste --keep 20 --keep-days 90 --keep-space 2GiB", "the versions that stay"),
            Example("huddle set celeste --program Celeste.bin.x86_64", "the name of the game's program"),
            Example("huddle set celeste --at /mnt/sd/Celeste", "a folder that was moved"),
            Example("huddle set celeste --ignore '*.log' --no-ignore '*.tmp'", "add a pattern, and remove one"),
            Example("huddle set game --add ~/.game/slot3.sav", "another file of the folder"),
            Example("huddle set game --drop slot1.sav --add save1.dat", "a file that has another name now"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        var body = try GameBody(given)
        body.fields.set("path", given[newPlace].map(WholePath.of))
        body.fields.set("name", given[name])
        for (key, paths) in [("add", given[added]), ("drop", given[dropped])] where !paths.isEmpty {
            // A name without a slash means a file in the game's folder, whatever the working directory is.
            body.fields.set(key, paths.map { $0.utf8.contains(UInt8(ascii: "/")) ? WholePath.of($0) : $0 })
        }
        let request = Endpoint.changeGame.request(given[GameAsking.game], saying: body)
        return try await Daemon.show(request, given, console, signals)
    }

    static let scanning = Command<CommandAction>(
        "scan",
        summary: "read the folder of a game now",
        discussion: """
            The daemon does this by itself after each change. The command is for file systems that don't report \
            changes, such as network shares.
            """,
        arguments: [GameAsking.game],
        options: [whole, emptied] + AskingOptions.all,
        examples: [
            Example("huddle scan celeste --whole", "if time stamps can't be trusted"),
            Example("huddle scan celeste --emptied", "the empty folder is what you want"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        var body = GameBody()
        body.fields.set("whole", given[whole])
        body.fields.set("emptied", given[emptied])
        let request = Endpoint.scanGame.request(given[GameAsking.game], saying: body)
        return try await Daemon.show(request, given, console, signals)
    }
}
