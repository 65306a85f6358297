import CommandTable
import Discovery
import LinuxPlatform
import Vocabulary

/// `huddle advertise`: be seen by others.
enum AdvertiseCommand {
    static let name = Argument("NAME", .instanceName, help: "what others see, up to 63 bytes")
    static let port = Option(
        "port",
        short: "p",
        .port,
        help: "say that a service listens there; without it, huddle listens on a free port itself"
    )
    static let txt = Option(repeating: "txt", .txtEntry, help: "say this beside the name; a key may stand alone")
    static let edit = Flag("edit", help: "go on reading KEY=VALUE, KEY or -KEY, one a line, and change what is said")

    static let row = Command<CommandAction>(
        "advertise",
        summary: "let others on this network see this machine",
        discussion: """
            The name is a label. Where somebody else has it already, “ #2” or the like is appended, and that is said. \
            When avahi-daemon restarts or the network changes, advertising goes on by itself.
            """,
        arguments: [name],
        options: [
            LookingOptions.type, port, txt, edit, LookingOptions.only, LookingOptions.except, LookingOptions.json,
        ],
        examples: [
            Example("huddle advertise Deck", "be seen as Deck until Ctrl-C"),
            Example("huddle advertise \"Living room\" --port 4242 --txt v=1", "for a service of your own"),
        ],
        exitCodes: [.success, .failure, .usage],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let door = given[port] == nil ? try Door() : nil
        var advertisement = Advertisement(
            given[name],
            type: given[LookingOptions.type],
            port: given[port] ?? door?.port ?? 0,
            interfaces: LookingOptions.interfaces(given)
        )
        for entry in given[txt] { try entry.apply(to: &advertisement.txt) }
        let advertiser = try Advertiser(advertisement)
        let report = AdvertisingReport(asJSON: given[LookingOptions.json], console)
        let editing = given[edit] ? advertisement.txt : nil
        try await untilSignalled(signals) { group in
            group.addTask { await advertiser.run() }
            group.addTask { try await console.readerLeaves() }
            group.addTask {
                for await event in await advertiser.events() { try await report.tell(event) }
            }
            if let door { group.addTask { try await door.keepOpen() } }
            if let editing { group.addTask { await edit(editing, of: advertiser, console) } }
        }
        return .success
    }

    private static func edit(_ start: TXTRecord, of advertiser: Advertiser, _ console: Console) async {
        var record = start
        while !Task.isCancelled, let line = try? await runBlocking("input", { Terminal.readLine() }) {
            do {
                try TXTEntryText(line).apply(to: &record)
                try await advertiser.update(record)
            } catch {
                await console.report(error)
            }
        }
    }
}
