import Foundation
import LinuxPlatform

/// The terminal, which the program uses from `begin` to `end`.
struct Screen {
    /// True if the output has colours. Pipes and `NO_COLOR` get plain text.
    private let isColoured =
        Terminal.isTerminal(.output) && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    /// The terminal's mode before the program.
    private let mode = TerminalMode()

    private static let prompt = "> "

    /// Takes over the terminal, at the start or again.
    func begin() {
        mode?.keyByKey.apply()
        draw("\u{1B}[?1049h\u{1B}[2J")
    }

    /// Restores the terminal.
    func end() {
        // A terminal with a single screen continues below the picture.
        draw("\r\n\u{1B}[?1049l")
        mode?.apply()
    }

    /// Draws a picture over the previous one, and the input line with its cursor below.
    func show(_ picture: Picture, _ input: InputLine) {
        let size = Terminal.size(.output) ?? (Picture.width, Picture.height)
        let lines = picture.fitting(columns: size.columns, rows: size.lines)
        let text = lines.map { line in
            // Clearing the rest of a line that fills the window would remove its last letter.
            (isColoured ? Paint.coloured(line) : line.text) + (line.text.columns < size.columns ? "\u{1B}[K" : "")
        }.joined(separator: "\r\n")
        // A letter that is wider than expected must not push the picture to further lines.
        let (cutting, wrapping) = ("\u{1B}[?7l", "\u{1B}[?7h")
        draw("\u{1B}[H\(cutting)\(text)\(lines.count < size.lines ? line(of: input, size.columns) : "")\(wrapping)")
    }

    /// The cursor position is saved after the text before it, and restored.
    private func line(of input: InputLine, _ columns: Int) -> String {
        // The last column belongs to the cursor.
        let (before, after) = input.shown(in: max(0, columns - Self.prompt.count - 1))
        return "\r\n\(Self.prompt)\(before)\u{1B}7\(after)\u{1B}[J\u{1B}8"
    }

    private func draw(_ text: String) {
        // If the terminal is gone, the output is lost; the end of the input ends the program.
        _ = Terminal.write(text, to: .output)
    }
}
