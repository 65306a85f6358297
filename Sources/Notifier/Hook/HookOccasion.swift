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
    init?(_ line: DaemonLine) {
        switch line.event {
        case .invitation: self = .invitation
        case .message: self = .message
        case .received: self = .file
        case .gameVersion(let event) where [.saved, .arrived, .merged].contains(event.kind): self = .snapshot
        case .conflict: self = .conflict
        case .household: self = .machine
        default: return nil
        }
    }
}
