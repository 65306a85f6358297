/// A device that does not run Huddle.
package struct DeviceEvent: EventPayload, Codable {
    package enum State: String, Codable, Sendable {
        case allowed, blocked
        // Devices with Syncthing.
        case online, offline, unpaired
    }

    package var name: String
    /// Program on the device: `retroarch` or `syncthing`.
    package var kind: String
    package var state: State
    /// End of its last sync or connection, in seconds since 1970.
    package var time: Int64?
    /// Device id of Syncthing.
    package var text: String?
    /// State of each game that is shared with it.
    package var details: [String: String]?

    package init(_ name: String, kind: String, _ state: State, syncedAt time: Int64?) {
        (self.name, self.kind, self.state, self.time) = (name, kind, state, time)
    }

    package var event: String { "device" }
}
