import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle open`: show the page, and decide which browsers may use it.
enum OpenCommand {
    static let url = Flag("url", help: "print the address, and open nothing")
    static let network = Flag("network", help: "let a telephone or another device of this network open it, by a code")
    static let browsers = Flag("browsers", help: "list the browsers that may use the page")
    private static let numbers = 1...1_000_000
    static let allow = Option(
        "allow",
        .integer(in: numbers).named("BROWSER"),
        help: "let this browser of another device change things"
    )
    static let signOut = Option("sign-out", .integer(in: numbers).named("BROWSER"), help: "sign this browser out")

    static let row = Command<CommandAction>(
        "open",
        summary: "open the page: games, machines, conflicts and versions in a browser",
        discussion: """
            The daemon serves the page to browsers of this machine alone, from now on until they are signed out. The \
            address signs one browser in, once, within a minute.

            With --network, browsers of other devices in this network can open it, too, encrypted: the daemon prints \
            the address and a code of six digits, which signs one browser in within five minutes; on a terminal also \
            both as a QR code for a telephone's camera. Three wrong codes end the code. \
            Such a browser only looks until you allow it more. The daemon stops listening to the network after the \
            last one is signed out.
            """,
        options: [url, network, browsers, allow, signOut] + AskingOptions.all,
        examples: [
            Example("huddle open", "in the browser of this desktop"),
            Example("huddle open --url", "for another browser on this machine"),
            Example("huddle open --network", "for a telephone"),
            Example("huddle open --allow 2", "the telephone may also restore and share"),
        ],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], isTable: given[browsers], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            if let number = given[allow] {
                try await daemon.perform(Endpoint.allowBrowser.request("\(number)"))
                try await report.say("Browser \(number) may change things.")
            }
            if let number = given[signOut] {
                try await daemon.perform(Endpoint.signOutBrowser.request("\(number)"))
                try await report.say("Signed out \(number).")
            }
            if given[allow] != nil || given[signOut] != nil { return .success }
            if given[browsers] {
                let all = try await daemon.all(Endpoint.browsers.request())
                for browser in all { try await report.tell(browser) }
                if all.isEmpty { try await report.say("No browser is signed in.") }
                return .success
            }
            let opening = given[network] ? Endpoint.openPageToNetwork : .openPage
            guard let line = try await daemon.events(opening.request()).next() else { return .failure }
            if case .page(let page) = line.event {
                if !given[url], !given[network], await opens(page.address) { return .success }
                if given[network], console.isTerminal, let code = page.code {
                    // The camera of a telephone reads the address and the code.
                    for line in QRCode("\(page.address)#c=\(code)")?.lines ?? [] { try await console.print(line) }
                }
            }
            try await report.tell(line)
            return .success
        }
        return code ?? .interrupted
    }

    /// - Returns: false if this session has no desktop, or no program that opens addresses
    private static func opens(_ address: String) async -> Bool {
        let environment = ProgramLaunch.ownEnvironment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return false }
        let opened = try? await ChildProcess.run(ProgramLaunch("xdg-open", [address]), deadline: .seconds(10))
        return opened?.status == .exited(0)
    }
}
