/// The present version of a game got a note, and is kept.
package struct MarkedEvent: EventPayload, Codable {
    package var name: String
    package var note: String

    package init(_ name: String, note: String) { (self.name, self.note) = (name, note) }

    package var event: String { "marked" }

    private enum CodingKeys: String, CodingKey {
        case name
        case note = "reason"
    }
}
