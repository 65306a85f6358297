import CommandTable
import Control
import Discovery
import Household
import LinuxPlatform
import Vocabulary

/// `huddle browse`: show the machines on this network.
enum BrowseCommand {
    static let limit = Option("for", .duration, help: "the time after which to stop (default: until Ctrl-C)")
    static let advertised = Option("advertise", .instanceName, help: "a name to advertise meanwhile")
    static let typed = Option(repeating: "peer", .hostAndPort, help: "a machine that can't be found by itself")
    static let probing = Option(
        "probe",
        .duration,
        default: .seconds(5),
        help: "the time between two questions to each machine; 0s asks none"
    )
    static let lostAfter = Option(
        "lost-after",
        .duration,
        default: .seconds(120),
        help: "how long a machine may be unreachable before it leaves the list"
    )
    static let lines = Flag("lines", help: "print a line for each change, also on a terminal")

    static let row = Command<CommandAction>(
        "browse",
        summary: "show the machines on this network as they come and go",
        discussion: """
            On a terminal the command redraws the list when it changes; elsewhere, and with --lines, each change is a \
            line. Names are not proven: any machine on the network can say anything. This machine's own daemon is left \
            out, as in `huddle peers`.
            """,
        options: [
            LookingOptions.type, limit, advertised, typed, probing, lostAfter, LookingOptions.only,
            LookingOptions.except, lines, AskingOptions.state, LookingOptions.json,
        ],
        examples: [
            Example("huddle browse", "a list that follows changes until Ctrl-C"),
            Example("huddle browse --for 2s --json", "machines that are online now, for a script"),
            Example("huddle browse --advertise Desk", "browse and advertise"),
            Example("huddle browse --peer 10.0.0.7:4242", "a machine behind a router, by its address"),
        ],
        exitCodes: [.success, .failure, .usage, .noAvahi],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let own = try OwnService(given, name: given[advertised])
        let browser = Browser(for: given[LookingOptions.type], configuration: await configuration(given, own))
        for address in given[typed] { await browser.add(address) }
        let report = report(given, console)
        let avahi = AvahiSeen()
        try await untilSignalled(signals, orFor: given[limit]) { group in
            group.addTask { await browser.run() }
            group.addTask { try await console.readerLeaves() }
            group.addTask {
                for await event in await browser.events() {
                    avahi.note(event)
                    try await report.tell(event)
                }
            }
            if let own { own.addTasks(to: &group, telling: report) }
        }
        try await report.end()
        // With --for, an empty list means something only if Avahi ran. So the exit code says if it did not.
        guard given[limit] != nil, given[typed].isEmpty, let absence = avahi.absenceAllTheTime else { return .success }
        await console.complain("nothing could be found without Avahi: \(absence)")
        return .noAvahi
    }

    private static func configuration(_ given: GivenValues, _ own: OwnService?) async -> Browser.Configuration {
        Browser.Configuration(
            interfaces: LookingOptions.interfaces(given),
            probing: given[probing] > .zero ? given[probing] : nil,
            lostAfter: given[lostAfter],
            ignoring: own?.advertiser,
            ignoringID: await ownID(given)
        )
    }

    /// Returns the ID of this user's daemon, which the list leaves out. Only a running daemon is asked, since a request
    /// to a socket of systemd would start one.
    private static func ownID(_ given: GivenValues) async -> PeerID? {
        guard HouseholdPresence.holder(in: StateFolder.path(given))?.runs == true,
            let daemon = Daemon.connection(given)
        else { return nil }
        let line = try? await EventLoop.shared.withDeadline(patience, "huddled") {
            try await daemon.events(Endpoint.identity.request()).next()
        }
        return line?.event.peer?.id
    }

    /// The time that the daemon has to report its ID.
    private static let patience: Duration = .seconds(3)

    private static func report(_ given: GivenValues, _ console: Console) -> any BrowsingReport {
        if given[LookingOptions.json] { return JSONReport(console) }
        if console.isTerminal, !given[lines] { return LiveList(given[LookingOptions.type], console) }
        return LineReport(console)
    }
}
