import LinuxPlatform
import Vocabulary

/// Output and line input for the user.
protocol UserScreen: Sendable {
    /// Shows a text as it is.
    func show(_ text: String)
    /// The next line; nil at the end of the input.
    func nextLine() async -> String?
}

/// The terminal of the program.
struct TerminalScreen: UserScreen {
    func show(_ text: String) {
        // If the terminal is gone, the text is lost.
        _ = Terminal.write(text, to: .errors)
    }

    func nextLine() async -> String? {
        guard Terminal.isTerminal(.input) else { return nil }
        return try? await runBlocking("answer") { Terminal.readLine() }
    }
}
