/// A shell that can complete command lines.
public enum Shell: String, CaseIterable, Sendable {
    /// GNU Bash 4.4 or newer.
    case bash
    /// The Z shell, with its completion system loaded.
    case zsh
    /// fish 3 or newer.
    case fish
}
