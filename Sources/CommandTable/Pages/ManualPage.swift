/// A manual page in man(7) roff.
public struct ManualPage: Hashable, Sendable {
    /// The name without the section: `huddle-browse`.
    public let name: String

    /// The file name that `man` looks for: `huddle-browse.1`.
    public let fileName: String

    /// The roff source.
    public let text: String
}

extension ProgramTable {
    /// Returns a page for the program, and one for each command, as git does it. `man huddle` shows the overview, and
    /// `man huddle browse` finds `huddle-browse`.
    ///
    /// - Parameter seconds: the day of the release, in seconds since 1970; nil leaves the date out
    public func manualPages(of seconds: Int? = nil) -> [ManualPage] {
        let outline = outline
        let date = seconds.map(\.asDay) ?? ""
        return outline.all.map { command in
            var writer = ManualWriter(command, of: outline, version: version, section: manualSection, date: date)
            return writer.page()
        }
    }
}

/// Writes one page, section by section in the order of man-pages(7).
private struct ManualWriter {
    private let command: Outline
    private let root: Outline
    private let version: String
    private let section: Int
    private let date: String
    private var roff = Roff()

    init(_ command: Outline, of root: Outline, version: String, section: Int, date: String) {
        self.command = command
        self.root = root
        self.version = version
        self.section = section
        self.date = date
    }

    mutating func page() -> ManualPage {
        let name = command.manualName
        roff.request("TH", name.uppercased(), String(section), date, "\(root.name) \(version)", "\(root.name) manual")
        // The formatter must not break names such as HUDDLE_TYPE at the end of a line.
        roff.request("nh")
        roff.request("ad", "l")
        writeName()
        writeDescription()
        writeTable("COMMANDS", command.subcommands.map { (Roff.bold($0.name), $0.summary.asSentence) })
        writeTable("ARGUMENTS", command.arguments.map { (Roff.italic($0.shape.name), $0.shape.explanation.asSentence) })
        let own = command.options.map(\.shape) + BuiltIn.options(of: command)
        writeTable("OPTIONS", own.map(optionRow))
        writeTable("OPTIONS OF EVERY COMMAND", command.inherited.map { optionRow($0.shape) })
        writeTable("EXIT STATUS", command.exitCodes.map { (Roff.bold(String($0.number)), $0.meaning.asSentence) })
        writeTable("ENVIRONMENT", variableRows)
        writeExamples()
        writeSeeAlso()
        return ManualPage(name: name, fileName: "\(name).\(section)", text: roff.text)
    }

    private mutating func writeName() {
        roff.heading("NAME")
        roff.marked("\(Roff.escaped(command.manualName)) \\- \(Roff.escaped(command.summary))")
        roff.heading("SYNOPSIS")
        let operands = command.usage.dropFirst(command.typed.count)
        roff.marked(Roff.bold(command.typed) + Roff.escaped(String(operands)))
    }

    private mutating func writeDescription() {
        roff.heading("DESCRIPTION")
        roff.flowing(command.summary.asSentence)
        roff.discussion(command.discussion)
    }

    private mutating func writeTable(_ title: String, _ rows: [(mark: String, text: String)]) {
        guard !rows.isEmpty else { return }
        roff.heading(title)
        for row in rows {
            roff.request("TP")
            roff.marked(row.mark)
            roff.flowing(row.text)
        }
    }

    private func optionRow(_ option: OptionShape) -> (String, String) {
        let short = option.shortForm.map { Roff.bold($0) + ", " } ?? ""
        let value = option.placeholder.map { " " + Roff.italic($0) } ?? ""
        return (short + Roff.bold(option.longForm) + value, option.explanation.asSentence)
    }

    private var variableRows: [(String, String)] {
        command.visibleOptions.compactMap { option in
            option.environment.map { variable in
                (Roff.bold(variable), "Gives \(option.longForm) if the command line does not.")
            }
        }
    }

    private mutating func writeExamples() {
        guard !command.examples.isEmpty else { return }
        roff.heading("EXAMPLES")
        for example in command.examples {
            roff.beginParagraph()
            roff.flowing("\(example.explanation.asSentence.dropLast()):")
            roff.unfilled([example.line])
        }
    }

    private mutating func writeSeeAlso() {
        let others = root.all.filter { $0.path.dropLast() == command.path[...] || $0.path == command.path.dropLast() }
        guard !others.isEmpty else { return }
        roff.heading("SEE ALSO")
        roff.marked(others.map { "\(Roff.bold($0.manualName))(\(section))" }.joined(separator: ", "))
    }
}

extension Outline {
    /// The name of the command's manual page.
    var manualName: String { path.joined(separator: "-") }
}

extension Int {
    /// The day of these seconds since 1970 as an ISO date, `2026-11-26`.
    fileprivate var asDay: String {
        // Years begin in March here, so that the leap day is the last day of a year.
        let days = (self >= 0 ? self / 86_400 : (self - 86_399) / 86_400) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }
}
