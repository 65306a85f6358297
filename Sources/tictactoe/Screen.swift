import Foundation
import LinuxPlatform

/// The terminal, which is the program's from `begin` to `end`.
struct Screen {
    /// Whether people see colours. Pipes and `NO_COLOR` get plain text.
    private let isColoured =
        Terminal.isTerminal(.output) && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    /// How the terminal was.
    private let mode = TerminalMode()

    private static let prompt = "> "

    /// Takes the terminal, or takes it again.
    func begin() {
        mode?.keyByKey.apply()
        draw("\u{1B}[?1049h\u{1B}[2J")
    }

    /// Leaves the terminal as it was.
    func end() {
        // A terminal with one screen only goes on below the picture.
        draw("\r\n\u{1B}[?1049l")
        mode?.apply()
    }

    /// Draws a picture over the one before, and below it what the person types, with the cursor there.
    func show(_ picture: Picture, _ input: InputLine) {
        let size = Terminal.size(.output) ?? (Picture.width, Picture.height)
        let lines = picture.fitting(columns: size.columns, rows: size.lines)
        let text = lines.map { line in
            // What clears the rest of a line that fills the window would take its last letter.
            (isColoured ? Paint.coloured(line) : line.text) + (line.text.columns < size.columns ? "\u{1B}[K" : "")
        }.joined(separator: "\r\n")
        // Nothing that is wider than it seems may push the picture on to further lines.
        let (cutting, wrapping) = ("\u{1B}[?7l", "\u{1B}[?7h")
        draw("\u{1B}[H\(cutting)\(text)\(lines.count < size.lines ? line(of: input, size.columns) : "")\(wrapping)")
    }

    /// The cursor is kept where it is after what stands before it, and comes back there.
    private func line(of input: InputLine, _ columns: Int) -> String {
        // The last column is the cursor's.
        let (before, after) = input.shown(in: max(0, columns - Self.prompt.count - 1))
        return "\r\n\(Self.prompt)\(before)\u{1B}7\(after)\u{1B}[J\u{1B}8"
    }

    private func draw(_ text: String) {
        // A terminal that is gone can't be told so; the end of the input ends the program.
        _ = Terminal.write(text, to: .output)
    }
}
