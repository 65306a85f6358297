import Household

/// The refusals that the user has overridden for one start of a game.
struct PlayTerms: Sendable, Hashable {
    /// True to play the version on this machine, though another one may be newer.
    var anyway: Bool
    /// True to play though the machine that was playing is cut off.
    var inSpiteOfCutOff = false
    /// `ask` or `force`, in case another machine plays.
    var takeover: String?
    private var overridden: String?

    init(anyway: Bool, takeover: String?) { (self.anyway, self.takeover) = (anyway, takeover) }

    /// Overrides a refusal. Returns false if nothing is left to override.
    mutating func override(_ error: PassedOnError) -> Bool {
        defer { overridden = error.word }
        if error.word == Self.playingElsewhere, takeover != "force" {
            takeover = "force"
        } else if !anyway {
            anyway = true
        } else {
            return false
        }
        return true
    }

    /// Returns true if the daemon refuses again for a reason that was overridden, so that another request has no
    /// effect.
    func wasOverridden(_ error: PassedOnError) -> Bool { anyway && overridden == error.word }

    /// Returns true if a game may start in spite of a refusal without a question. All saves stay then, at worst as a
    /// conflict.
    ///
    /// This is false if the folder is another one or is missing, as without the memory card. The game would begin a new
    /// save below the empty mount point, and that save is out of sight once the card is back.
    static func isHarmless(_ error: PassedOnError) -> Bool { harmless.contains(error.word) }

    private static let harmless: Set<String> = [
        playingElsewhere, "saves.cut-off", "saves.newest-late", "saves.conflict", "saves.emptied", "saves.unknown-set",
    ]

    /// The code of the error that another machine plays.
    static let playingElsewhere = "saves.playing-elsewhere"
}
