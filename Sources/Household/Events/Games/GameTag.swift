/// A shared game, by its ID and its name. Its keys are beside the other keys of an event.
package struct GameTag: FieldGroup {
    package var set: String
    package var name: String

    package init(set: String, name: String) { (self.set, self.name) = (set, name) }

    package init?(_ fields: JSONFields) throws {
        guard let set = try fields.text("set"), let name = try fields.text("name") else { return nil }
        self.init(set: set, name: name)
    }

    package func add(to fields: inout JSONFields) {
        fields.set("set", set)
        fields.set("name", name)
    }
}
