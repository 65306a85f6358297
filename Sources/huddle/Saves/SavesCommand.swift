import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle saves`: the save sets of this machine.
enum SavesCommand {
    private static let paths = Argument(
        repeating: "PATH",
        .file,
        help: "the folder that the game saves into, or the files in it that make one save"
    )
    private static let place = Option("at", .folder, help: "the folder where it is to lie here")
    private static let newPlace = Option("at", .folder, help: "the folder where it lies from now on")
    private static let added = Option(
        repeating: "add",
        .file,
        help: "a file in its folder that belongs to it from now on, too; where it is made of files"
    )
    private static let dropped = Option(
        repeating: "drop",
        .file,
        help: "a file that belongs to it here no more; it stays where it is"
    )
    private static let name = Option("name", .text.named("NAME"), help: "what to call it here, such as celeste")
    private static let offered = Argument("NAME", .text.named("NAME"), help: "what it is called in `huddle saves list`")
    private static let offerer = Option("from", .text.named("PEER"), help: "whose offer, where several offer that name")
    private static let peer = Argument("PEER", .text.named("PEER"), help: "its name or the beginning of its id")
    private static let shown = Argument(
        "SET[@VERSION]",
        .text.named("SET[@VERSION]"),
        help: "which set, or which version of it"
    )
    private static let first = Argument("SET@VERSION", .text.named("SET@VERSION"), help: "as in celeste@11")
    private static let second = Argument("@VERSION", .text.named("@VERSION"), help: "another version, as in @12")
    private static let emptied = Flag("emptied", help: "send a folder that has lost its files as it is")
    private static let whole = Flag("whole", help: "read every byte, also of files that look unchanged")

    static let row = Command<CommandAction>(
        group: "saves",
        summary: "share the saves of games with other machines",
        discussion: """
            A save set is the folder, or the files in one, that make one game's save. Each machine that takes part has it in a place of its own. \
            Whenever the game has saved and closed its files, huddled keeps that version and brings it to the others.
            """,
        examples: [
            Example("huddle saves add ~/.local/share/Celeste/Saves --name celeste", "share a folder"),
            Example("huddle saves offer celeste Deck", "with another machine"),
            Example("huddle saves join celeste --at ~/Celeste/Saves", "there"),
            Example("huddle saves list", "how they stand"),
        ],
        subcommands: [list, show, diff, add, join, offer, withdraw, set, scan, leave]
    )

    private static let list = Command<CommandAction>(
        "list",
        summary: "show the save sets here, and those that other machines offer",
        options: AskingOptions.all,
        examples: [Example("huddle saves list", "how they stand")],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        try await Daemon.show(
            ControlQuestion("GET", ["v1", "saves"]),
            given,
            console,
            signals,
            ifNothing: .result("no save sets yet; share a folder with: huddle saves add FOLDER --name NAME")
        )
    }

    private static let show = Command<CommandAction>(
        "show",
        summary: "show the state and the settings of a save set, or the files of a version",
        arguments: [shown],
        options: AskingOptions.all,
        examples: [
            Example("huddle saves show celeste", "which versions stay, what is left out"),
            Example("huddle saves show celeste@12", "which files it has, and what they say"),
        ],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        let typed = given[shown]
        guard typed.contains("@") else {
            return try await Daemon.show(ControlQuestion("GET", ["v1", "saves", typed]), given, console, signals)
        }
        let (set, version) = try SaveAsking.version(typed)
        let question = ControlQuestion("GET", ["v1", "saves", set, "versions", version])
        return try await Daemon.show(question, given, console, signals)
    }

    private static let diff = Command<CommandAction>(
        "diff",
        summary: "show what differs between two versions of a save set",
        arguments: [first, second],
        options: AskingOptions.all,
        examples: [Example("huddle saves diff celeste@11 @12", "each value that changed")],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        let (set, version) = try SaveAsking.version(given[first])
        // As it was typed for the first one.
        let other = given[second].hasPrefix("\(set)@") ? String(given[second].dropFirst(set.count + 1)) : given[second]
        let question = ControlQuestion(
            "GET",
            ["v1", "saves", set, "differences"],
            query: ["from": version, "to": other]
        )
        return try await Daemon.show(question, given, console, signals, ifNothing: .result("no file differs"))
    }

    private static let add = Command<CommandAction>(
        "add",
        summary: "make a save set of a folder, or of files in it",
        discussion: """
            What is there becomes the first version. Nobody gets it before it is offered. Where files are named, or several folders, \
            they lie side by side in one folder; whatever else is there is no part of the set and is never touched, on no machine.
            """,
        arguments: [paths],
        options: [name] + SaveOptions.first + AskingOptions.all,
        examples: [
            Example("huddle saves add ~/saves/celeste", "under the name of the folder"),
            Example("huddle saves add ~/.game/slot1.sav ~/.game/slot2.sav --name game", "only these files"),
            Example(
                "huddle saves add ~/.config/Game --name game --ignore '*.log' --local settings.ini",
                "with exceptions"
            ),
        ],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        var body = try SaveBody(given, isNew: true)
        let chosen = try ChosenPaths(given[paths])
        body.fields.set("path", chosen.folder)
        if let names = chosen.names { body.fields.set("files", names) }
        body.fields.set("name", given[name])
        return try await Daemon.show(
            ControlQuestion("POST", ["v1", "saves"], saying: body),
            given,
            console,
            signals
        )
    }

    private static let join = Command<CommandAction>(
        "join",
        summary: "take up a save set that another machine offers",
        discussion: """
            What lies in that folder already is kept as a version first. Where it differs from what comes, that is a conflict for \
            a person, and nothing is overwritten.
            """,
        arguments: [offered],
        options: [place, name, offerer] + SaveOptions.all + AskingOptions.all,
        examples: [Example("huddle saves join celeste --at ~/Celeste/Saves", "the game looks for its saves there")],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        guard let place = given[place] else {
            throw CommandError(
                "command.place-missing",
                "where the saves are to lie here is not said",
                nextStep: "add --at and the folder in which the game looks for its saves"
            )
        }
        var body = try SaveBody(given)
        body.fields.set("path", WholePath.of(place))
        body.fields.set("name", given[name])
        body.fields.set("peer", given[offerer])
        let question = ControlQuestion("POST", ["v1", "offers", given[offered]], saying: body)
        return try await Daemon.show(
            question,
            given,
            console,
            signals,
            ifInterrupted: "what has begun goes on by itself: `huddle saves list` says how it stands"
        )
    }

    private static let offer = Command<CommandAction>(
        "offer",
        summary: "let another machine have a save set",
        arguments: [SaveAsking.set, peer],
        options: AskingOptions.all,
        examples: [Example("huddle saves offer celeste Deck", "there: huddle saves join celeste --at FOLDER")],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        let path = ["v1", "saves", given[SaveAsking.set], "peers", given[peer]]
        return try await Daemon.show(ControlQuestion("PUT", path), given, console, signals)
    }

    private static let withdraw = Command<CommandAction>(
        "withdraw",
        summary: "stop sharing a save set with another machine",
        discussion: "What it has of it already, it keeps.",
        arguments: [SaveAsking.set, peer],
        options: AskingOptions.all,
        examples: [Example("huddle saves withdraw celeste Deck", "nothing more goes there")],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        let (set, whom) = (given[SaveAsking.set], given[peer])
        let sentence = """
            \(PrintableText(whom, limit: 80)) may have \(PrintableText(set, limit: 80)) no more; what it has already, it keeps
            """
        let question = ControlQuestion("DELETE", ["v1", "saves", set, "peers", whom])
        return try await Daemon.show(question, given, console, signals, ifNothing: .result(sentence))
    }

    private static let set = Command<CommandAction>(
        "set",
        summary: "change the settings of a save set",
        discussion: """
            What is not said stays. What --ignore and --local say comes to the patterns that are there; --no-ignore and --no-local take one away. Where it is put into another folder, or more files of it are chosen here, what is newest is put there; where something \
            else lies there already, that is a conflict for a person, and nothing is overwritten.
            """,
        arguments: [SaveAsking.set],
        options: [newPlace, name, added, dropped] + SaveOptions.all + AskingOptions.all,
        examples: [
            Example("huddle saves set celeste --settle 2s", "the game saves in several steps"),
            Example("huddle saves set celeste --keep 20 --keep-days 90 --keep-space 2GiB", "which versions stay"),
            Example("huddle saves set celeste --program Celeste.bin.x86_64", "what the game's program is called"),
            Example("huddle saves set celeste --at /mnt/sd/Celeste", "the folder was moved"),
            Example("huddle saves set celeste --ignore '*.log' --no-ignore '*.tmp'", "a pattern more, and one less"),
            Example("huddle saves set game --add ~/.game/slot3.sav", "one more file of its folder"),
            Example("huddle saves set game --drop slot1.sav --add save1.dat", "the game calls it otherwise now"),
        ],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        var body = try SaveBody(given)
        body.fields.set("path", given[newPlace].map(WholePath.of))
        body.fields.set("name", given[name])
        for (key, paths) in [("add", given[added]), ("drop", given[dropped])] where !paths.isEmpty {
            // A name alone is one in the set's folder, wherever this is typed.
            body.fields.set(key, paths.map { $0.utf8.contains(UInt8(ascii: "/")) ? WholePath.of($0) : $0 })
        }
        let question = ControlQuestion("PUT", ["v1", "saves", given[SaveAsking.set]], saying: body)
        return try await Daemon.show(question, given, console, signals)
    }

    private static let scan = Command<CommandAction>(
        "scan",
        summary: "read the folder of a save set now",
        discussion:
            "huddled does so by itself after each change. This is for file systems that don't tell of changes, such as network shares.",
        arguments: [SaveAsking.set],
        options: [whole, emptied] + AskingOptions.all,
        examples: [
            Example("huddle saves scan celeste --whole", "trust no time stamp"),
            Example("huddle saves scan celeste --emptied", "send a folder that lost its files as it is"),
        ],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        var body = SaveBody()
        body.fields.set("whole", given[whole])
        body.fields.set("emptied", given[emptied])
        let question = ControlQuestion("POST", ["v1", "saves", given[SaveAsking.set], "versions"], saying: body)
        return try await Daemon.show(question, given, console, signals)
    }

    private static let leave = Command<CommandAction>(
        "leave",
        summary: "stop syncing a save set on this machine",
        discussion: """
            The folder stays as it is, and so do the versions that were kept: `huddle saves list` names the set still, and who joins it again \
            has them all. `huddle history --clean --left` gives them up.
            """,
        arguments: [SaveAsking.set],
        options: AskingOptions.all,
        examples: [Example("huddle saves leave celeste", "other machines keep it")],
        exitCodes: SaveAsking.exitCodes
    ) { given, console, signals in
        let left = given[SaveAsking.set]
        let sentence =
            "\(PrintableText(left, limit: 80)) is no longer in sync on this machine. Its files and versions are kept."
        let question = ControlQuestion("DELETE", ["v1", "saves", left])
        return try await Daemon.show(question, given, console, signals, ifNothing: .result(sentence))
    }
}
