/// The versions of a game, in short.
///
/// Its keys are beside the other keys of the game.
package struct VersionsInfo: Hashable, Sendable {
    package var count: Int64
    /// Ids of the newest versions; several if the game is in conflict.
    package var newest: [String]
    /// Id of the version that the folder holds.
    package var shown: String?

    package init(count: Int, newest: [String], shown: String?) {
        (self.count, self.newest, self.shown) = (Int64(count), newest, shown)
    }

    init(_ fields: JSONFields) throws {
        count = try fields.required("number") { try fields.integer($0) }
        newest = try fields.required("heads") { try fields.texts($0) }
        shown = try fields.text("snapshot")
    }

    func add(to fields: inout JSONFields) {
        fields.set("number", count)
        fields.set("heads", newest)
        fields.set("snapshot", shown)
    }
}
