/// The request failed.
package struct FailedEvent: EventPayload, Codable {
    package var problem: PassedOnError

    package var event: String { "failed" }
}
