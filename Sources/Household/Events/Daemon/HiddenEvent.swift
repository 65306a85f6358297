/// The reason why no other machine finds this one.
package struct HiddenEvent: EventPayload, Codable {
    package var reason: String
    package var message: String

    package var event: String { "withdrawn" }
}
