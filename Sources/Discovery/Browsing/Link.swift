/// A network interface of a sighting.
struct Link: Hashable, Sendable {
    let index: UInt32
    let name: String

    var isLoopback: Bool { name == "lo" }
}
