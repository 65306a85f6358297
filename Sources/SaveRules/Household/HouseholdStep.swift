/// The next statement of this machine about another one, whose standing was read again.
public enum HouseholdStep: Hashable, Sendable, CaseIterable {
    case vouch
    case remove
    case nothing

    /// - Parameters:
    ///   - before: the standing at the last reading; nil at the first reading of a program
    ///   - now: the present standing
    ///   - hasSaid: true if this machine's statement says that the other is paired, false if it says that it is
    ///     removed; nil if there is none
    ///   - isVouchedFor: true if it was paired because of a statement, and not by a user here
    public init(
        from before: MachineStanding?,
        to now: MachineStanding,
        hasSaid: Bool?,
        isVouchedFor: Bool
    ) {
        self =
            switch (before, now) {
            // A user paired it, or gave it its rights back.
            case (.some(let before), .mine) where before != .mine: .vouch
            // The program ended after a pairing and before its statement, or a user paired a machine that was only
            // vouched for.
            case (_, .mine): hasSaid == nil && !isVouchedFor ? .vouch : .nothing
            case (.mine, _): .remove
            // The program ended after a removal and before its statement.
            default: hasSaid == true ? .remove : .nothing
            }
    }
}
