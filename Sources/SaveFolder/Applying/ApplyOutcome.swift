public import LinuxPlatform
public import SaveRules

/// Result of an attempt to change a game's folder.
public enum ApplyOutcome: Sendable {
    /// The folder was changed as a whole, and holds this manifest: the part of the target that belongs to this machine.
    case applied(Manifest)
    /// The folder does not hold the expected base. Nothing was overwritten.
    case changedMeanwhile
    /// A program has a file of the game open for writing; it is named if it is known. Nothing was overwritten.
    case inUse([FileWriter])
}

/// Result of checking a folder after a start.
public enum Recovery: Sendable {
    /// No change was in progress.
    case nothing
    /// A change was in progress and is final.
    case finished
    /// A change was in progress, and the folder is in its previous state.
    case undone
}

/// Result of a search for programs that have a file of the game open for writing.
public enum Occupancy: Sendable {
    case free
    /// At least one; it is named if it is known.
    case occupied([FileWriter])
}
