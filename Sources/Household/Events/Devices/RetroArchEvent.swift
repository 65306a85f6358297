/// The bridge to devices with RetroArch, and its state.
package struct RetroArchEvent: EventPayload, Codable {
    package enum State: String, Codable, Sendable { case on, off }

    package var state: State
    /// `http` or `https`.
    package var kind: String
    /// Address to type on a device; nil while it is off.
    package var text: String?
    package var port: UInt16?
    /// Game of each folder of a device: `saves`, `states`.
    package var details: [String: String]
    /// `devices`, and `wrong` for wrong passwords.
    package var counts: [String: Int]

    package init(
        _ state: State,
        kind: String,
        at address: String?,
        port: UInt16?,
        games details: [String: String],
        counts: [String: Int]
    ) {
        (self.state, self.kind, text, self.port) = (state, kind, address, port)
        (self.details, self.counts) = (details, counts)
    }

    package var event: String { "retroarch" }
}
