import Household

/// The refusals that a person has overridden for one start of a game.
struct PlayTerms: Sendable, Hashable {
    /// Play the version on this machine, though another one may be newer.
    var anyway: Bool
    /// Play, though the machine that was playing is cut off.
    var inSpiteOfCutOff = false
    /// `ask` or `force`, if another machine plays.
    var takeover: String?

    /// Overrides a refusal. Answers false if it was overridden before, or can't be: the daemon does not agree at all.
    mutating func override(_ error: PassedOnError) -> Bool {
        if error.word == Self.playingElsewhere, takeover != "force" {
            takeover = "force"
        } else if !anyway {
            anyway = true
        } else {
            return false
        }
        return true
    }

    /// The error that says that another machine plays.
    static let playingElsewhere = "saves.playing-elsewhere"
}
