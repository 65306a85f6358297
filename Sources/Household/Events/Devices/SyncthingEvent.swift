/// The bridge to devices with Syncthing.
package struct SyncthingEvent: EventPayload, Codable {
    package enum State: String, Codable, Sendable { case on, off }

    /// `on` while devices can connect.
    package var state: State
    /// This machine's device id, to type on a device.
    package var text: String
    package var port: UInt16?
    /// `devices`: number of paired devices.
    package var counts: [String: Int]

    package init(_ state: State, id text: String, port: UInt16?, counts: [String: Int]) {
        (self.state, self.text, self.port, self.counts) = (state, text, port, counts)
    }

    package var event: String { "syncthing" }
}
