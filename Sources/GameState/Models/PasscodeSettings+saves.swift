import SecureArchive

extension PasscodeSettings: SavedGame {
    static let game = "passcode settings"

    static func isSave(_ state: GameState) -> Bool {
        state.contains("isPassCodeEnabled") || state.contains("root.isPassCodeEnabled")
    }

    init(readingSave state: GameState, _ strictness: Strictness) throws(ModelFaults) {
        try self.init(readingArchive: state.root, strictness)
    }

    /// A merge never gives further attempts.
    static let rules = MergeRules(
        """
        merge **.attemptCount  = max
        merge **.checkInterval = max
        merge **.nextCheckDate = max
        """
    )

    var summary: [Summary.Line] {
        var lines = [
            Summary.Line("passcode", isPassCodeEnabled ? "asked for" : "not asked for", .bool(isPassCodeEnabled)),
            Summary.Line("wrong attempts", "\(attemptCount)", .integer(ArchiveInteger(attemptCount))),
        ]
        if let nextCheckDate {
            lines.append(Summary.Line("locked until", DateText.shortText(nextCheckDate), .date(nextCheckDate)))
        }
        if let appVersion { lines.append(Summary.Line("app version", appVersion, .string(appVersion))) }
        return lines
    }
}
