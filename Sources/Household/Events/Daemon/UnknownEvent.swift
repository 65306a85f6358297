/// A line of a newer daemon that this program does not know.
package struct UnknownEvent: EventPayload {
    package var event: String

    package init(_ event: String) { self.event = event }

    package init(_ fields: JSONFields) throws { event = try fields.text("event") ?? "" }

    package var fields: JSONFields { JSONFields() }
}
