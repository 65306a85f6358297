import Vocabulary

/// The probes that a ``BrowseEngine`` must send.
struct WantedProbes {
    /// The addresses that the user typed.
    var typed: Set<HostAndPort> = []
    /// True to probe every peer next, including advertised ones.
    var mustReachAll = false
    let signal = Signal()
}
