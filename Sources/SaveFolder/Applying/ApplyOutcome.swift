public import LinuxPlatform
public import SaveRules

/// What became of the wish to change a set's folder.
public enum ApplyOutcome: Sendable {
    /// The folder was changed as a whole, and holds this: what belongs here of what was wanted.
    case applied(Manifest)
    /// The folder does not hold what the change was meant for. Nothing was overwritten.
    case changedMeanwhile
    /// Somebody has a file of the set open for writing; who, as far as it can be found out. Nothing was overwritten.
    case inUse([FileWriter])
}

/// What was found when a set's folder was looked at after a start.
public enum Recovery: Sendable {
    /// No change was under way.
    case nothing
    /// A change was under way and stands.
    case finished
    /// A change was under way, and the folder is as it was before.
    case undone
}

/// Whether somebody has a file of the set open for writing.
public enum Occupancy: Sendable {
    /// Nobody.
    case free
    /// Somebody; who, as far as it can be found out.
    case occupied([FileWriter])
}
