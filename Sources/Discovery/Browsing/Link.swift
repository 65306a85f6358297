/// A network interface as a sighting knows it.
struct Link: Hashable, Sendable {
    let index: UInt32
    let name: String

    /// Whether it leads nowhere but to this machine.
    var isLoopback: Bool { name == "lo" }
}
