/// The other machine took an archive of `huddle state push`.
package struct PushedEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var path: String
    package var bytes: UInt64
    /// Name of the game there, if it went into one.
    package var name: String?
    /// The result, as the machine names it.
    package var text: String

    package init(_ machine: PeerTag, path: String, bytes: UInt64, game name: String?, result text: String) {
        (self.machine, self.path, self.bytes) = (machine, path, bytes)
        (self.name, self.text) = (name, text)
    }

    package var event: String { "pushed" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case path, bytes, name, text
    }
}
