import SecureArchive

extension Summary {
    /// A longer list has only this many values in a summary, and the count of all.
    private static let kept = 1000

    /// The summary of a tree by rules. Missing values are omitted.
    public init(of state: GameState, by rules: [SummaryRule], game: String? = nil) {
        self.init(game: game, rules.compactMap { Self.line(state, $0) })
    }

    private static func line(_ state: GameState, _ rule: SummaryRule) -> Line? {
        var values: [ArchiveValue] = []
        var count = 0
        rule.pattern.visit(state) { _, value in
            count += 1
            if values.count < kept { values.append(value.untagged) }
            return true
        }
        guard let first = values.first else { return nil }
        if rule.form == .count {
            if count == 1 { count = first.children.count }
            return Line(rule.label, String(count), .integer(ArchiveInteger(count)))
        }
        guard count > 1 else { return Line(rule.label, text(first, rule.form), first) }
        let shown = FirstOfMany(values.lazy.map { text($0, rule.form) }, of: count)
        return Line(rule.label, shown.description, .array(values))
    }

    static func text(_ value: ArchiveValue, _ form: SummaryRule.Form) -> String {
        switch form {
        case .duration: value.exactReal.map(duration) ?? plain(value)
        case .date: date(value).map(DateText.shortText) ?? plain(value)
        case .plain, .count: plain(value)
        }
    }

    /// `3 h 12 min`
    static func duration(_ seconds: Double) -> String {
        guard seconds >= 0, let whole = Int(exactly: seconds.rounded(.down)), whole < 1 << 40 else {
            return "\(seconds) s"
        }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(whole % 60) s" : "\(whole) s"
    }

    private static func date(_ value: ArchiveValue) -> ArchiveDate? {
        switch value {
        case .date(let date): date
        case .string(let text): DateText.date(text)
        default: value.exactReal.flatMap { ArchiveDate(secondsSince1970: $0) }
        }
    }

    private static func plain(_ value: ArchiveValue) -> String {
        switch value {
        case .null: "nothing"
        case .bool(let bool): bool ? "yes" : "no"
        case .integer(let integer): integer.description
        case .real(let real): Int(exactly: real.value).map(String.init) ?? String(real.value)
        case .string(let text): text
        case .date(let date): DateText.shortText(date)
        case .data(let bytes): "\(bytes.count) bytes"
        case .array(let elements): "\(elements.count) elements"
        case .dictionary(let fields): "\(fields.count) keys"
        case .reference, .tagged: value.kindInWords
        }
    }
}
