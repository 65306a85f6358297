import CommandTable
import Discovery
import LinuxPlatform
import Vocabulary

/// `huddle advertise`: advertise a name on this network.
enum AdvertiseCommand {
    static let name = Argument("NAME", .instanceName, help: "the name that others see, up to 63 bytes")
    static let port = Option(
        "port",
        short: "p",
        .port,
        help: "the port of the service (default: a free port, on which the command listens)"
    )
    static let txt = Option(
        repeating: "txt",
        .txtEntry,
        help: "an entry beside the name; a key may come without a value"
    )
    static let edit = Flag(
        "edit",
        help: "read further entries from standard input: KEY=VALUE, KEY, or -KEY to remove one"
    )

    static let row = Command<CommandAction>(
        "advertise",
        summary: "advertise a name on this network",
        discussion: """
            The name is a label. If another machine has it already, “ #2” or the like is appended, and the command \
            says so. Advertising goes on after a restart of avahi-daemon or a change of the network.
            """,
        arguments: [name],
        options: [
            LookingOptions.type, port, txt, edit, LookingOptions.only, LookingOptions.except, LookingOptions.json,
        ],
        examples: [
            Example("huddle advertise Deck", "advertise Deck until Ctrl-C"),
            Example("huddle advertise \"Living room\" --port 4242 --txt v=1", "for a service of your own"),
        ],
        exitCodes: [.success, .failure, .usage],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let placeholder = given[port] == nil ? try PlaceholderPort() : nil
        var advertisement = Advertisement(
            given[name],
            type: given[LookingOptions.type],
            port: given[port] ?? placeholder?.port ?? 0,
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
            if let placeholder { group.addTask { try await placeholder.run() } }
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
