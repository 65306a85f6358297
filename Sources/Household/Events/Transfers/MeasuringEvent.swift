/// A measurement begins.
package struct MeasuringEvent: EventPayload, Codable {
    package var kind: BenchKind

    package var event: String { "measuring" }
}
