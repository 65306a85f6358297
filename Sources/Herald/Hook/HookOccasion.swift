import Household

/// The events for which the hook is called; the word is the program's argument.
package enum HookOccasion: String, CaseIterable, Sendable {
    case invitation
    case message
    case file
    case snapshot
    case conflict
    case machine

    /// Nil for an event without a hook call.
    init?(_ news: SessionNews) {
        switch news.event {
        case "invited": self = .invitation
        case "message": self = .message
        case "received": self = .file
        case "saved", "arrived", "merged": self = .snapshot
        case "conflict": self = .conflict
        case "vouched", "removed-elsewhere": self = .machine
        default: return nil
        }
    }
}
