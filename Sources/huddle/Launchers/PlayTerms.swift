import Household

/// The refusals that a person has overridden for one start of a game.
struct PlayTerms: Sendable, Hashable {
    /// Play the version on this machine, though another one may be newer.
    var anyway: Bool
    /// Play, though the machine that was playing is cut off.
    var inSpiteOfCutOff = false
    /// `ask` or `force`, if another machine plays.
    var takeover: String?
    private var overridden: String?

    init(anyway: Bool, takeover: String?) { (self.anyway, self.takeover) = (anyway, takeover) }

    /// Overrides a refusal. Returns false if it was overridden before or can't be.
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

    /// Returns true if the daemon refuses for a reason that was overridden, so that another request has no effect.
    func wasOverridden(_ error: PassedOnError) -> Bool { anyway && overridden == error.word }

    /// True if a game may start in spite of a refusal without a question: all saves stay, at worst as a conflict.
    ///
    /// This does not hold if the folder is another one or is away, as without the memory card: the game begins a new
    /// save below the empty mount point, and that save is out of sight once the card is back.
    static func isHarmless(_ error: PassedOnError) -> Bool { harmless.contains(error.word) }

    private static let harmless: Set<String> = [
        playingElsewhere, "saves.cut-off", "saves.newest-late", "saves.conflict", "saves.emptied", "saves.unknown-set",
    ]

    /// The error that says that another machine plays.
    static let playingElsewhere = "saves.playing-elsewhere"
}
