import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle syncthing`: share games with devices that run Syncthing.
enum SyncthingCommand {
    private static let id = Argument("DEVICE-ID", .text, help: "the device's id, as Syncthing shows it there")
    private static let device = Argument("DEVICE", .text, help: "a device's name or id")
    private static let game = Argument("GAME", .text, help: "a game that is shared on this machine")
    private static let folder = Argument("FOLDER", .text, help: "a folder's id or label, as `devices` shows it")
    private static let name = Option("name", .text.named("NAME"), help: "name of the device (default: its own)")
    private static let address = Option(
        repeating: "address",
        .text.named("ADDRESS"),
        help: "an address of the device (default: found on this network)"
    )
    private static let port = Option(
        "port",
        .integer(in: 1...65_535).named("PORT"),
        help: "port for all devices (default: 22000)"
    )
    private static let commands = BridgeCommands(bridge: "syncthing")
    private static let exits: [ExitCode] = [.success, .failure, .usage, .noDaemon, .interrupted]

    static let row = Command<CommandAction>(
        group: "syncthing",
        summary: "share games with a PC, phone or NAS that runs Syncthing",
        discussion: """
            To Syncthing, this machine is one device. What another device saves is one version by its name. If the \
            save was changed elsewhere, too, both are kept, and `huddle fix` ends the conflict.

            Only the machine on which you pair a device speaks to it. Without a paired device no port is open.
            """,
        examples: [
            Example("huddle syncthing id", "this machine's id, to type on the device"),
            Example("huddle syncthing pair \(sampleID)", "pair it here"),
            Example("huddle syncthing devices", "the devices, and the state of each game"),
        ],
        exitCodes: exits,
        subcommands: [ownID, devices, pair, accept, unshare, resend, forget, block, unblock]
    )

    private static let sampleID = "4OYMIQU-Y7QOBJR-GX36TEJ-S35ZEQD-T24QPEM-SNZGTFB-ESWMRW6-CSXBKQD"

    private static let ownID = Command<CommandAction>(
        "id",
        summary: "print this machine's id for Syncthing",
        options: AskingOptions.all,
        examples: [Example("huddle syncthing id", "type it on the device: Add Remote Device")],
        exitCodes: exits
    ) { given, console, signals in
        try await Daemon.show(Endpoint.syncthing.request(), given, console, signals)
    }

    private static let devices = Command<CommandAction>(
        "devices",
        summary: "list the devices, their games, and devices that want to pair",
        options: AskingOptions.all,
        examples: [Example("huddle syncthing devices", "names, states and offered folders")],
        exitCodes: exits
    ) { given, console, signals in
        try await Daemon.show(
            Endpoint.syncthingDevices.request(),
            given,
            console,
            signals,
            ifNothing: .remark("no device; `huddle syncthing pair DEVICE-ID` pairs one")
        )
    }

    private static let pair = Command<CommandAction>(
        "pair",
        summary: "pair a device, or change its name or addresses",
        discussion: "The device must pair this machine, too: add the id of `huddle syncthing id` in Syncthing there.",
        arguments: [id],
        options: [name, address, port] + AskingOptions.all,
        examples: [
            Example("huddle syncthing pair \(sampleID)", "with the name that the device has"),
            Example("huddle syncthing pair \(sampleID) --address 192.168.1.20", "at a fixed address"),
        ],
        exitCodes: exits
    ) { given, console, signals in
        var fields = JSONFields()
        if let name = given[name] { fields.set("name", name) }
        if !given[address].isEmpty { fields.set("addresses", given[address]) }
        if let port = given[port] { fields.set("port", port) }
        let request = Endpoint.pairSyncthingDevice.request(given[id], saying: fields)
        return try await Daemon.show(request, given, console, signals)
    }

    private static let accept = Command<CommandAction>(
        "accept",
        summary: "share a game as a folder that a device offers",
        arguments: [folder, game],
        options: AskingOptions.all,
        examples: [Example("huddle syncthing accept celeste-saves celeste", "both sides then have the same files")],
        exitCodes: exits
    ) { given, console, signals in
        var fields = JSONFields()
        fields.set("game", given[game])
        let request = Endpoint.acceptSyncthingFolder.request(given[folder], saying: fields)
        return try await Daemon.show(request, given, console, signals)
    }

    private static let unshare = onGame(
        "unshare",
        "stop sharing a game with a device; both keep their files",
        .stopSharingWithSyncthingDevice
    )
    private static let resend = onGame(
        "resend",
        "send a game again to a device that deleted it",
        .resendToSyncthingDevice
    )
    private static let forget = onDevice("forget", "forget a device; its saves stay", .forgetSyncthingDevice)
    private static let block = onDevice("block", "stop responding to a device", .blockSyncthingDevice)
    private static let unblock = onDevice("unblock", "respond to a device again", .unblockSyncthingDevice)

    private static func onGame(
        _ name: String,
        _ summary: String,
        _ endpoint: Endpoint
    ) -> Command<CommandAction> {
        let example = ("celeste pc", "the game “celeste” on the device “pc”")
        return commands.command(name, summary, [game, device], example: example) {
            endpoint.request($0[device], $0[game])
        }
    }

    private static func onDevice(
        _ name: String,
        _ summary: String,
        _ endpoint: Endpoint
    ) -> Command<CommandAction> {
        commands.command(name, summary, [device], example: ("pc", "the device “pc”")) {
            endpoint.request($0[device])
        }
    }
}
