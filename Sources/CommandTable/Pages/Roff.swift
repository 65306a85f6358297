/// Text with the marks of man(7), made so that groff and mandoc read it without a warning.
struct Roff {
    private(set) var text = ""
    private var isBelowHeading = false

    /// The title of a section.
    mutating func heading(_ title: String) {
        request("SH", title)
        isBelowHeading = true
    }

    /// A new paragraph, where a heading has not begun one already.
    mutating func beginParagraph() {
        if !isBelowHeading { request("PP") }
    }

    /// A request on a line of its own: `.TP`.
    mutating func request(_ name: String, _ arguments: String...) {
        isBelowHeading = false
        let quoted = arguments.map { argument in
            let escaped = Self.escaped(argument)
            return argument.isEmpty || argument.contains(" ") ? "\"\(escaped)\"" : escaped
        }
        text += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
    }

    /// Lines that flow.
    mutating func flowing(_ line: String) {
        marked(Self.escaped(line))
    }

    /// A line whose marks were made with ``bold(_:)`` and ``italic(_:)``.
    mutating func marked(_ line: String) {
        isBelowHeading = false
        text += Self.protected(line) + "\n"
    }

    /// Lines that stay as they are.
    mutating func unfilled(_ lines: [String]) {
        let indent = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        beginParagraph()
        text += ".RS 4\n.nf\n"
        for line in lines { flowing(String(line.dropFirst(indent))) }
        text += ".fi\n.RE\n"
    }

    /// A text with paragraphs.
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

    /// A hyphen that can be copied as the minus sign it is, and every character groff needs a name for.
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

    /// A line that begins with a dot would be a request.
    private static func protected(_ line: String) -> String {
        line.hasPrefix(".") ? "\\&" + line : line
    }
}
