import LinuxPlatform
public import SaveRules
public import Vocabulary

/// The machines of the household that vouch for each other.
extension SaveKeeper {
    /// Has each event of the household's machines told.
    public func whenHouseholdChanges(_ tell: @escaping @Engine (HouseholdNews) -> Void) { household.whenNews = tell }

    /// The machines that others removed from the household and that this machine has, each with those that removed it.
    public var removedElsewhere: [HouseholdStatements.Removed] { household.removed }

    /// The user keeps a machine that others removed. Returns false if none removed it.
    public func keepInHousehold(_ peer: PeerID) async throws -> Bool { try await household.keep(peer) }
}
