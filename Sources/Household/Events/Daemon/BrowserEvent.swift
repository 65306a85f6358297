/// A browser that may use the page.
package struct BrowserEvent: EventPayload, Codable {
    package var number: Int64
    package var name: String
    /// Word of its right.
    package var right: String

    package init(_ number: Int, name: String, right: String) {
        (self.number, self.name, self.right) = (Int64(number), name, right)
    }

    package var event: String { "browser" }

    private enum CodingKeys: String, CodingKey {
        case number, name
        case right = "kind"
    }
}
