public import Vocabulary

/// An event of the household's machines that a user may want to know.
public enum HouseholdChange: Sendable {
    /// This machine is paired with another one because a machine of the household vouches for it.
    case vouched(PeerID, named: InstanceName, by: PeerID)
    /// Other machines removed one that this machine has. The user must keep it or remove it, too.
    case removed(PeerID, by: [PeerID])
    /// The statements can't be read or stored.
    case trouble(any ExplainedError)
}
