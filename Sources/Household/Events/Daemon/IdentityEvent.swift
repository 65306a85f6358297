/// The name and the ID of this machine.
package struct IdentityEvent: EventPayload, Codable {
    package var machine: PeerTag
    /// Path of its key.
    package var keyPath: String

    package init(_ machine: PeerTag, keyPath: String) { (self.machine, self.keyPath) = (machine, keyPath) }

    package var event: String { "identity" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case keyPath = "path"
    }
}
