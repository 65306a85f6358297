/// The two listeners of the page.
enum PageReach: Hashable, CaseIterable, Sendable {
    /// For browsers of this machine, over plain HTTP, which never leaves the machine.
    case loopback
    /// For browsers of other machines in this network, over TLS.
    case network

    var scheme: String { self == .loopback ? "http" : "https" }
}
