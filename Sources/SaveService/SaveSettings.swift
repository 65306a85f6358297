import Control
import Household
import Ledger
import SaveRules
import Vocabulary

/// A change of a game's settings. Missing fields change nothing.
struct SaveSettings {
    /// The files that belong to the game on no machine.
    private let ignored: PatternChange
    /// The files that each machine keeps for itself.
    private let local: PatternChange
    private var rules: String?
    private var settle: Double?
    private var keep: KeepingChange
    private var program: String?
    private var audience: SaveSetEntry.Audience?

    private static let keys = ["rules", "settle", "program", "audience"] + PatternChange.keys + KeepingChange.keys
    /// The range of the quiet period in seconds. A folder with constant writes is never quiet for longer.
    private static let settling = 0.05...600.0

    /// The settings, and all fields of the request.
    static func read(_ call: RouteCall, _ further: [String]) throws -> (JSONFields, SaveSettings) {
        let fields = try call.fields(keys + further)
        return (fields, try SaveSettings(fields))
    }

    private init(_ fields: JSONFields) throws {
        (ignored, local) = (try PatternChange(fields, "ignore"), try PatternChange(fields, "local"))
        rules = try RouteCall.asked { try fields.text("rules") }
        settle = try RouteCall.asked { try fields.number("settle") }
        keep = try KeepingChange(fields)
        program = try RouteCall.asked { try fields.text("program") }
        if let typed = try RouteCall.asked({ try fields.text("audience") }) {
            audience = SaveSetEntry.Audience(rawValue: typed)
            guard audience != nil else {
                throw HouseholdError(
                    ErrorCode(.invalid, "control.bad-request"),
                    "“audience” is household or chosen",
                    nextStep: "leave it out to keep it as it is"
                )
            }
        }
        if let program, !program.isEmpty, (try? FileName(program)) == nil {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“program” is the name of a program without a slash",
                nextStep: "name it as `ps -A` shows it while the game runs"
            )
        }
        if let settle, !Self.settling.contains(settle) {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“settle” is 0.05 to 600 seconds",
                nextStep: "0.3 is usual"
            )
        }
    }

    /// True if the request changes patterns.
    var changesPatterns: Bool { ignored.hasChanges || local.hasChanges }

    func apply(to entry: inout SaveSetEntry) throws {
        try ignored.apply(to: &entry.scope.ignored, of: entry.name)
        try local.apply(to: &entry.scope.local, of: entry.name)
        // An empty text removes the rules.
        if let rules { entry.rules = rules.isEmpty ? nil : rules }
        if let settle { entry.settleMilliseconds = Int(settle * 1000) }
        keep.apply(to: &entry.retention)
        if let audience { entry.audience = audience }
        if let program { entry.program = program.isEmpty ? nil : program }
    }

    /// The chosen files of the folder; nil if the request has none.
    static func chosen(_ fields: JSONFields) throws -> ChosenNames? {
        try chosen(try RouteCall.asked { try fields.texts("files") })
    }

    /// The chosen files of a folder; nil for all of it.
    static func chosen(_ texts: [String]?) throws -> ChosenNames? {
        guard let texts else { return nil }
        let names = texts.compactMap { try? FileName($0) }
        guard names.count == texts.count, let chosen = ChosenNames(names) else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“files” is 1 to \(ChosenNames.maximumCount) names in the folder, without a slash",
                nextStep: "leave it out to share the whole folder"
            )
        }
        return chosen
    }

    /// The default name of a game: that of its folder, with “-” for characters that a name can't have.
    static func name(of path: String) -> String {
        let last = path.split(separator: "/").last ?? "saves"
        let fit = last.lowercased().unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                ? Character(scalar) : "-"
        }
        let trimmed = String(fit.prefix(SaveSetName.maximumByteCount).drop { $0 == "-" })
        return trimmed.isEmpty ? "saves" : trimmed
    }
}
