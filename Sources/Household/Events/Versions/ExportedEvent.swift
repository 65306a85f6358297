/// A version was written into a file.
package struct ExportedEvent: EventPayload, Codable {
    package var name: String
    package var path: String
    package var bytes: UInt64

    package init(_ name: String, path: String, bytes: UInt64) {
        (self.name, self.path, self.bytes) = (name, path, bytes)
    }

    package var event: String { "exported" }
}
