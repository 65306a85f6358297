/// The subject of a measurement.
package enum BenchKind: String, CaseIterable, Codable, Sendable {
    case roundTrip = "round-trip"
    case messages, stream, encryption, file
    /// The slower of stream and file.
    case sum
}
