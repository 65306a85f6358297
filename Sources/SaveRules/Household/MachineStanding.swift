/// The place of another machine in the household, as this machine sees it.
public enum MachineStanding: Hashable, Sendable, CaseIterable {
    /// It is paired and shares saves.
    case mine
    /// It is known, and may not share saves. A guest is one such machine.
    case guest
    case blocked
    /// A user forgot it here. There is no statement about that yet; there never is one if it was not of the household.
    case forgotten
    case stranger
}
