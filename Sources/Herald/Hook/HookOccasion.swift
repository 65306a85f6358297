import Household

/// What the person's own program is called for; its word is the program's argument.
package enum HookOccasion: String, CaseIterable, Sendable {
    case invitation
    case message
    case file
    case snapshot
    case conflict

    /// Nil for what it is not called for.
    init?(_ news: SessionNews) {
        switch news.event {
        case "invited": self = .invitation
        case "message": self = .message
        case "received": self = .file
        case "saved", "arrived", "merged": self = .snapshot
        case "conflict": self = .conflict
        default: return nil
        }
    }
}
