/// A setting of the daemon and its source.
package struct SettingEvent: EventPayload, Codable {
    package var name: String
    package var value: String
    /// Kind of the source.
    package var source: String
    /// Option, variable or file that sets it.
    package var place: String?

    package var event: String { "setting" }

    private enum CodingKeys: String, CodingKey {
        case name
        case value = "text"
        case source = "kind"
        case place = "path"
    }
}
