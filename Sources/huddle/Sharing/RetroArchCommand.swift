import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle retroarch`: let devices with RetroArch sync their saves with this household.
enum RetroArchCommand {
    private static let port = Option(
        "port",
        .integer(in: 1...65_535).named("PORT"),
        help: "port for devices (default: 55360)"
    )
    private static let tls = Flag(
        "tls",
        help: "encrypted connections, for devices that accept this machine's certificate"
    )
    private static let saves = Option("saves", .text.named("GAME"), help: "the shared game for RetroArch's saves")
    private static let states = Option(
        "states",
        .text.named("GAME"),
        help: "the shared game for RetroArch's save states"
    )
    private static let device = Argument("device", .text, help: "name of the device, such as “phone”")
    private static let commands = BridgeCommands(bridge: "retroarch")
    private static let exits: [ExitCode] = [.success, .failure, .usage, .noDaemon, .interrupted]

    static let row = Command<CommandAction>(
        "retroarch",
        summary: "sync with RetroArch on a phone or television",
        discussion: """
            This machine answers RetroArch's cloud sync, so that a phone, a television or a console takes part without \
            Huddle. What a device saves is one version by its name. If the save was changed elsewhere, too, both are \
            kept, and `huddle fix` ends the conflict.

            Without a subcommand it shows whether devices can sync, and at which address.
            """,
        options: AskingOptions.all,
        examples: [
            Example("huddle retroarch on", "listen to devices of this network"),
            Example("huddle retroarch add phone", "what to type on the phone"),
            Example("huddle retroarch devices", "the devices and their last syncs"),
        ],
        exitCodes: exits,
        subcommands: [on, off, devices, add, remove, block, unblock, show],
        action: { given, console, signals in
            try await Daemon.show(Endpoint.retroArch.request(), given, console, signals)
        }
    )

    private static let on = Command<CommandAction>(
        "on",
        summary: "let devices sync, also after a restart",
        options: [port, tls, saves, states] + AskingOptions.all,
        examples: [
            Example("huddle retroarch on", "with the shared games of RetroArch's folders"),
            Example("huddle retroarch on --saves snes --tls", "with a game of another name, encrypted"),
        ],
        exitCodes: exits
    ) { given, console, signals in
        var fields = JSONFields()
        if let port = given[port] { fields.set("port", port) }
        if given[tls] { fields.set("tls", true) }
        if let game = given[saves] { fields.set("saves", game) }
        if let game = given[states] { fields.set("states", game) }
        let request = Endpoint.turnOnRetroArch.request(saying: fields)
        return try await Daemon.show(request, given, console, signals)
    }

    private static let off = commands.command(
        "off",
        "stop listening to devices",
        example: ("", "no device can sync")
    ) { _ in Endpoint.turnOffRetroArch.request() }

    private static let devices = Command<CommandAction>(
        "devices",
        summary: "list the devices",
        options: AskingOptions.all,
        examples: [Example("huddle retroarch devices", "names and last syncs")],
        exitCodes: exits
    ) { given, console, signals in
        let request = Endpoint.retroArchDevices.request()
        return try await Daemon.show(
            request,
            given,
            console,
            signals,
            ifNothing: .remark("no device; `huddle retroarch add NAME` adds one")
        )
    }

    private static let add = onDevice("add", "add a device, and print its password", .addRetroArchDevice)
    private static let remove = onDevice("remove", "forget a device; its saves stay", .forgetRetroArchDevice)
    private static let block = onDevice("block", "stop responding to a device", .blockRetroArchDevice)
    private static let unblock = onDevice("unblock", "respond to a device again", .unblockRetroArchDevice)
    private static let show = onDevice("show", "list what a device will see", .retroArchFiles)

    private static func onDevice(
        _ name: String,
        _ summary: String,
        _ endpoint: Endpoint
    ) -> Command<CommandAction> {
        commands.command(name, summary, [device], example: ("phone", "the device “phone”")) {
            endpoint.request($0[device])
        }
    }
}
