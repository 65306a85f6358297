/// The name under which other machines find this one.
package struct AdvertisedEvent: EventPayload, Codable {
    package var name: String

    package var event: String { "advertised" }
}
