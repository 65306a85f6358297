/// The machines that a game was offered to, by their ids.
package struct SharersInfo: Hashable, Sendable {
    /// All of them.
    package var all: [String] = []
    /// The machines that take part and are not known to hold the newest version.
    package var behind: [String] = []
    /// The machines that have not joined.
    package var notJoined: [String] = []
    /// The machines on which a user has paused the game.
    package var paused: [String] = []
}

extension SharersInfo {
    init(_ fields: JSONFields) throws {
        all = try fields.required("sharers") { try fields.texts($0) }
        behind = try fields.texts("behind") ?? []
        notJoined = try fields.texts("notJoined") ?? []
        paused = try fields.texts("pausedThere") ?? []
    }

    /// Its keys are beside the other keys of the game.
    func add(to fields: inout JSONFields) {
        fields.set("sharers", all)
        fields.set("behind", unlessEmpty: behind)
        fields.set("notJoined", unlessEmpty: notJoined)
        fields.set("pausedThere", unlessEmpty: paused)
    }
}
