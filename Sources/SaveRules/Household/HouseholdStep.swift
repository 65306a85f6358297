/// The statement of this machine about another one after its standing was looked up.
public enum HouseholdStep: Hashable, Sendable, CaseIterable {
    case vouch
    case remove
    case nothing

    /// - Parameters:
    ///   - before: the standing at the last look; nil at the first look of a program
    ///   - now: the present standing
    ///   - hasSaid: whether this machine's statement about it says that it is paired; nil if there is none
    ///   - isVouchedFor: whether it was paired because of a statement, and not by a user here
    public init(
        from before: MachineStanding?,
        to now: MachineStanding,
        hasSaid: Bool?,
        isVouchedFor: Bool
    ) {
        self =
            switch (before, now) {
            // A user paired it, or gave it back its rights.
            case (.some(let before), .mine) where before != .mine: .vouch
            // The program ended between a pairing and its statement, or a user paired a machine that was only vouched for.
            case (_, .mine): hasSaid == nil && !isVouchedFor ? .vouch : .nothing
            case (.mine, _): .remove
            // The program ended between a removal and its statement.
            default: hasSaid == true ? .remove : .nothing
            }
    }
}
