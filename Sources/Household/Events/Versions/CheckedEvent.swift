/// The result of a check of the history.
package struct CheckedEvent: EventPayload, Codable {
    package enum State: String, Codable, Sendable {
        case sound, damaged
    }

    package var state: State
    package var bytes: UInt64
    /// Number of damaged parts.
    package var damages: Int64

    package init(_ bytes: UInt64, isSound: Bool, damages: Int) {
        (self.bytes, state, self.damages) = (bytes, isSound ? .sound : .damaged, Int64(damages))
    }

    package var event: String { "checked" }

    private enum CodingKeys: String, CodingKey {
        case state, bytes
        case damages = "number"
    }
}
