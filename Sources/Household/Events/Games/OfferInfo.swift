/// A game that other machines offer, or that this machine has left.
package struct OfferInfo: Hashable, Sendable {
    /// Id of the game.
    package var set: String
    package var name: String
    /// The machine that offers it; this machine if it has left the game.
    package var machine: PeerTag
    /// Ids of all machines that offer it.
    package var machines: [String]
    /// Seconds since 1970 at which the offer came.
    package var cameAt: Int64?
    /// Names in the folder that make up the game; nil for all of it.
    package var files: [String]?
    /// Folder that the game had on this machine.
    package var path: String?

    package init(set: String, name: String, of machine: PeerTag, machines: [String]) {
        (self.set, self.name, self.machine, self.machines) = (set, name, machine, machines)
    }
}

extension OfferInfo: EventPayload {
    package var event: String { "save-offer" }

    package init(_ fields: JSONFields) throws {
        set = try fields.required("set") { try fields.text($0) }
        name = try fields.required("name") { try fields.text($0) }
        machine = try fields.required("peer") { try fields.peer($0) }
        machines = try fields.required("sharers") { try fields.texts($0) }
        cameAt = try fields.integer("time")
        files = try fields.texts("files")
        path = try fields.text("path")
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("set", set)
        fields.set("name", name)
        fields.set("peer", machine)
        fields.set("sharers", machines)
        if let cameAt { fields.set("time", cameAt) }
        fields.set("files", files)
        fields.set("path", path)
        return fields
    }
}
