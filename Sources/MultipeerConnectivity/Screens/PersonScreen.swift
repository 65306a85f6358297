import LinuxPlatform
import Vocabulary

/// Where a person is shown something and answers with a line.
protocol PersonScreen: Sendable {
    /// Shows a text as it is.
    func show(_ text: String)
    /// The next line that the person types; nil where nobody will.
    func nextLine() async -> String?
}

/// The terminal that the program was started in.
struct TerminalScreen: PersonScreen {
    func show(_ text: String) {
        // A screen that is gone can't be told so.
        _ = Terminal.write(text, to: .errors)
    }

    func nextLine() async -> String? {
        guard Terminal.isTerminal(.input) else { return nil }
        return try? await runBlocking("answer") { Terminal.readLine() }
    }
}
