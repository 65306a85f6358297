import Control
import Household
import Ledger
import SaveRules
import Vocabulary

/// What can be chosen about a save set; what is not said stays as it is.
struct SaveSettings {
    /// What is no part of the set anywhere.
    private let ignored: PatternChange
    /// What each machine has of its own.
    private let local: PatternChange
    private var rules: String?
    private var settle: Double?
    private var keep: KeepingChange
    private var program: String?
    private var audience: SaveSetEntry.Audience?

    private static let keys = ["rules", "settle", "program", "audience"] + PatternChange.keys + KeepingChange.keys
    /// A folder that a game writes to all day long is never still for longer.
    private static let settling = 0.05...600.0

    /// The settings, and whatever else was said.
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

    /// Whether anything was said of what is left out.
    var changesPatterns: Bool { ignored.isSaid || local.isSaid }

    func apply(to entry: inout SaveSetEntry) throws {
        try ignored.apply(to: &entry.scope.ignored, of: entry.name)
        try local.apply(to: &entry.scope.local, of: entry.name)
        // An empty text takes back what was chosen.
        if let rules { entry.rules = rules.isEmpty ? nil : rules }
        if let settle { entry.settleMilliseconds = Int(settle * 1000) }
        keep.apply(to: &entry.retention)
        if let audience { entry.audience = audience }
        if let program { entry.program = program.isEmpty ? nil : program }
    }

    /// What of the folder makes the set; nil where nothing is said of it.
    static func chosen(_ fields: JSONFields) throws -> ChosenNames? {
        guard let texts = try RouteCall.asked({ try fields.texts("files") }) else { return nil }
        let names = texts.compactMap { try? FileName($0) }
        guard names.count == texts.count, let chosen = ChosenNames(names) else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“files” is 1 to \(ChosenNames.maximumCount) names of what lies in the folder, without a slash",
                nextStep: "leave it out where the folder as a whole makes the save"
            )
        }
        return chosen
    }

    /// What a set is called where nobody says: as its folder, as far as that can be a name.
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
