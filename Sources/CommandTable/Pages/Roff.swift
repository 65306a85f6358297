/// Text with man(7) macros, which groff and mandoc read without a warning.
struct Roff {
    private(set) var text = ""
    private var isBelowHeading = false

    /// Begins a section.
    mutating func heading(_ title: String) {
        request("SH", title)
        isBelowHeading = true
    }

    /// Begins a paragraph, unless a heading has just begun one.
    mutating func beginParagraph() {
        if !isBelowHeading { request("PP") }
    }

    /// Writes a request, such as `.TP`, on a line of its own.
    mutating func request(_ name: String, _ arguments: String...) {
        isBelowHeading = false
        let quoted = arguments.map { argument in
            // A reader of manuals such as mandoc recognizes a date only by plain hyphens.
            let isDate = argument.allSatisfy { $0.isNumber || $0 == "-" }
            let escaped = isDate ? argument : Self.escaped(argument)
            return argument.isEmpty || argument.contains(" ") ? "\"\(escaped)\"" : escaped
        }
        text += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
    }

    /// Writes a line that the formatter fills.
    mutating func flowing(_ line: String) {
        marked(Self.escaped(line))
    }

    /// Writes a line with marks from ``bold(_:)`` and ``italic(_:)``.
    mutating func marked(_ line: String) {
        isBelowHeading = false
        text += Self.protected(line) + "\n"
    }

    /// Writes lines that the formatter must not fill.
    mutating func unfilled(_ lines: [String]) {
        let indent = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        beginParagraph()
        text += ".RS 4\n.nf\n"
        for line in lines { flowing(String(line.dropFirst(indent))) }
        text += ".fi\n.RE\n"
    }

    /// Writes a text with paragraphs.
    mutating func discussion(_ discussion: String) {
        var standing: [String] = []
        for paragraph in TextLayout.paragraphs(discussion) {
            if case .asItStands(let line) = paragraph {
                standing.append(line)
                continue
            }
            if !standing.isEmpty { unfilled(standing) }
            standing = []
            if case .flowing(let text) = paragraph {
                beginParagraph()
                flowing(text)
            }
        }
        if !standing.isEmpty { unfilled(standing) }
    }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// Returns the text for roff. Each hyphen becomes a minus sign that can be copied, and each character that groff
    /// would change becomes its name.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\(rs"
            case "-": escaped += "\\-"
            case "\"": escaped += "\\(dq"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default:
                let number = String(scalar.value, radix: 16, uppercase: true)
                escaped += "\\[u" + String(repeating: "0", count: max(0, 4 - number.count)) + number + "]"
            }
        }
        return escaped
    }

    /// Returns the line with a guard before a leading dot, which would make the line a request.
    private static func protected(_ line: String) -> String {
        line.hasPrefix(".") ? "\\&" + line : line
    }
}
