import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle open`: show the page.
enum OpenCommand {
    static let url = Flag("url", help: "print the address, and open nothing")

    static let row = Command<CommandAction>(
        "open",
        summary: "open the page: games, machines, conflicts and versions in a browser",
        discussion: """
            The daemon serves the page to browsers of this machine alone, from now on until they are signed out. The address \
            signs one browser in, once, within a minute.
            """,
        options: [url] + AskingOptions.all,
        examples: [
            Example("huddle open", "in the browser of this desktop"),
            Example("huddle open --url", "for another browser on this machine"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let lines = try await daemon.news(ControlQuestion("POST", ["v1", "page"]))
            guard let news = try await lines.next() else { return .failure }
            if !given[url], let address = news.text, await opens(address) {
                return .success
            }
            try await report.tell(news)
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
