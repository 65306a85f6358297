/// A network interface as a sighting knows it.
struct Link: Hashable, Sendable {
    let index: UInt32
    let name: String
}
