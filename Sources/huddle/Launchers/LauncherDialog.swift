import Household
import LinuxPlatform
import Vocabulary

/// A window that asks if the game should start after all. A launcher such as Steam shows no output of a program, so a
/// refusal would look like a crash.
struct LauncherDialog: Sendable {
    /// The answer of the user.
    enum Choice: Sendable, Hashable {
        case play
        /// Ask the other machine to stop the game.
        case ask
        case cancel
    }

    private let environment: [String: String]

    /// - Parameter environment: the environment of this program, in which a desktop sets `DISPLAY` or `WAYLAND_DISPLAY`
    init(_ environment: [String: String] = ProgramLaunch.ownEnvironment) {
        var environment = environment
        // Steam puts its own libraries before all others, but dialog programs were built with other versions of them.
        for name in ["LD_PRELOAD", "LD_LIBRARY_PATH"] { environment[name] = nil }
        self.environment = environment
    }

    /// Asks the user; nil if no program can show a window.
    ///
    /// - Parameter holder: true if another machine plays, so that it can be asked to stop
    func ask(_ game: String, _ error: PassedOnError, mayAsk holder: Bool) async throws -> Choice? {
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return nil }
        let text = "\(PrintableText(error.message, limit: 1000))."
        for program in Self.programs(game, text, holder) {
            var launch = ProgramLaunch(program.name, program.words)
            launch.environment = environment
            launch.standardOutput = .pipe
            launch.standardError = .pipe
            guard let dialog = try? ChildProcess.launch(launch) else { continue }
            let ended = try await dialog.complete(deadline: Self.patience)
            if ended.exceededDeadline { return .cancel }
            // Without a usable display, kdialog aborts or ends with 254. zenity ends with 1, as after a “no”.
            guard case .exited(let code) = ended.status, code < 3,
                !ended.standardError.text.contains("cannot open display")
            else { continue }
            return program.choice(code, ended.standardOutput.text)
        }
        return nil
    }

    /// The time for an answer, since the user may be in another room. After that time the game does not start.
    private static let patience = Duration.seconds(3600)

    private struct DialogProgram {
        let name: String
        let words: [String]
        let choice: (_ code: Int32, _ output: String) -> Choice
    }

    private static func programs(_ game: String, _ text: String, _ holder: Bool) -> [DialogProgram] {
        let (title, play, ask, cancel) = ("Huddle: \(game)", "Play anyway", "Ask it to stop", "Do not play")
        let kdialog = DialogProgram(
            name: "kdialog",
            words: ["--title", title, "--yes-label", play]
                + (holder
                    ? ["--no-label", ask, "--cancel-label", cancel, "--warningyesnocancel", text]
                    : ["--no-label", cancel, "--warningyesno", text])
        ) { code, _ in code == 0 ? .play : holder && code == 1 ? .ask : .cancel }
        let zenity = DialogProgram(
            name: "zenity",
            words: ["--question", "--no-markup", "--title", title, "--text", text, "--ok-label", play]
                + ["--cancel-label", cancel] + (holder ? ["--extra-button", ask] : [])
        ) { code, output in code == 0 ? .play : output.hasPrefix(ask) ? .ask : .cancel }
        return [kdialog, zenity]
    }
}
