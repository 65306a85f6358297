import Foundation
import LinuxPlatform

/// The terminal, drawn over without touching the line on which the person types.
struct Screen {
    /// Whether people see colours. Pipes and `NO_COLOR` get plain text.
    private let isColoured =
        Terminal.isTerminal(.output) && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

    /// Puts a picture up, with its question below, and the cursor behind it.
    func show(_ lines: [String], _ prompt: String) {
        draw("\u{1B}[H" + text(of: lines) + "\u{1B}[J\r\n\(prompt)")
    }

    /// Changes the picture while the person may be typing: the cursor goes back to where it was.
    func update(_ lines: [String]) {
        draw("\u{1B}7\u{1B}[H" + text(of: lines) + "\u{1B}8")
    }

    /// Leaves the terminal as it was.
    func end() {
        draw("\r\n")
    }

    func begin() {
        draw("\u{1B}[2J")
    }

    private func text(of lines: [String]) -> String {
        let size = Terminal.size(.output) ?? (Picture.width, Picture.height + Self.below)
        let fitting = Picture.fitting(lines, into: max(1, size.lines - Self.below), size.columns)
        // What some letters take two places for must not push the picture on to further lines.
        let (cutting, wrapping) = ("\u{1B}[?7l", "\u{1B}[?7h")
        return cutting + fitting.map { "\(isColoured ? Paint.coloured($0) : $0)\u{1B}[K\r\n" }.joined() + wrapping
    }

    /// The question, and a free line above it.
    private static let below = 2

    private func draw(_ text: String) {
        // A terminal that is gone can't be told so; the end of the input ends the program.
        _ = Terminal.write(text, to: .output)
    }
}
