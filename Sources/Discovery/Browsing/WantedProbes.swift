import Vocabulary

/// The probes that a ``BrowseEngine`` has to send.
struct WantedProbes {
    /// The addresses that the user typed.
    var typed: Set<HostAndPort> = []
    /// True to probe every peer next, also those that are advertised.
    var mustReachAll = false
    let signal = Signal()
}
