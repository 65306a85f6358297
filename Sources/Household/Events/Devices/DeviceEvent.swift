/// A device that does not run Huddle.
package struct DeviceEvent: EventPayload, Codable {
    package enum State: String, Codable, Sendable { case allowed, blocked }

    package var name: String
    /// Program on the device: `retroarch`.
    package var kind: String
    package var state: State
    /// End of its last sync, in seconds since 1970.
    package var time: Int64?

    package init(_ name: String, kind: String, _ state: State, syncedAt time: Int64?) {
        (self.name, self.kind, self.state, self.time) = (name, kind, state, time)
    }

    package var event: String { "device" }
}
