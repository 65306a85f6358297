public import LinuxPlatform
public import SessionRules

/// The limits of the memory, the connections and the bandwidth that peers may use.
public struct NodeLimits: Sendable {
    /// The number of unknown machines that may be connected.
    public var admission = Admission<Int, IPAddress>.Limits()
    /// The limits of memory for peers.
    public var memory = BudgetLimits.memory
    /// The limits of descriptors for peers.
    public var descriptors = BudgetLimits.descriptors
    /// Speed at which files, saves and streams are sent, to all machines together.
    public var sending = SpeedLimit.none
    /// Speed at which files, saves and streams arrive, from all machines together.
    public var receiving = SpeedLimit.none
}
