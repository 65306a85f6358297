/// The keys of one event or answer of the daemon, besides its name.
package protocol EventPayload: JSONShape, Hashable {
    /// Value of the key `event`.
    var event: String { get }

    init(_ fields: JSONFields) throws
}

extension EventPayload where Self: Codable {
    package init(_ fields: JSONFields) throws { self = try fields.read() }

    package var fields: JSONFields { JSONFields(of: self) }
}
