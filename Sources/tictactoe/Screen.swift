import LinuxPlatform

/// The terminal, drawn over without touching the line on which the person types.
struct Screen {
    /// Puts a picture up, with its question below, and the cursor behind it.
    func show(_ lines: [String], _ prompt: String) {
        draw("\u{1B}[H" + Self.text(of: lines) + "\u{1B}[J\r\n\(prompt)")
    }

    /// Changes the picture while the person may be typing: the cursor goes back to where it was.
    func update(_ lines: [String]) {
        draw("\u{1B}7\u{1B}[H" + Self.text(of: lines) + "\u{1B}8")
    }

    /// Leaves the terminal as it was.
    func end() {
        draw("\r\n")
    }

    func begin() {
        draw("\u{1B}[2J")
    }

    private static func text(of lines: [String]) -> String {
        lines.map { "\($0)\u{1B}[K\r\n" }.joined()
    }

    private func draw(_ text: String) {
        // A terminal that is gone can't be told so; the end of the input ends the program.
        _ = Terminal.write(text, to: .output)
    }
}
