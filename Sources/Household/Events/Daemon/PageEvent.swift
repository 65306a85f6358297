/// An address that opens the page.
package struct PageEvent: EventPayload, Codable {
    package var address: String
    /// Code that signs a browser of another device in.
    package var code: String?

    package init(_ address: String, code: String? = nil) { (self.address, self.code) = (address, code) }

    package var event: String { "page" }

    private enum CodingKeys: String, CodingKey {
        case address = "text"
        case code
    }
}
