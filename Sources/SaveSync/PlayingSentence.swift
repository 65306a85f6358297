/// A sentence that says which machine plays, and for how long: “Deck has been playing for 14 minutes”.
public enum PlayingSentence {
    /// - Parameter object: the game, with a blank before it; empty if that is clear
    public static func of(_ who: String, _ object: String = "", for played: Duration) -> String {
        let minutes = played.components.seconds / 60
        guard minutes > 0 else { return "\(who) has just begun to play\(object)" }
        return "\(who) has been playing\(object) for \(minutes) \(minutes == 1 ? "minute" : "minutes")"
    }
}
