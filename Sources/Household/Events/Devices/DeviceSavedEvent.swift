/// A device has synced.
package struct DeviceSavedEvent: EventPayload, Codable {
    package var name: String
    package var kind: String
    /// `saved`: number of saved files.
    package var counts: [String: Int]

    package init(_ name: String, kind: String, saved count: Int) {
        (self.name, self.kind, counts) = (name, kind, ["saved": count])
    }

    package var event: String { "device-saved" }
}
