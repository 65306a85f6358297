/// Files in a game's folder that no version can hold.
///
/// Its keys are beside the other keys of the game.
package struct LeftOutInfo: FieldGroup {
    package var count: Int
    /// The reasons of the first, by their paths.
    package var reasons: [String: String]

    package init(count: Int, reasons: [String: String]) { (self.count, self.reasons) = (count, reasons) }

    package init?(_ fields: JSONFields) throws {
        guard let count: Int = try fields.object("counts")?.integer("leftOut") else { return nil }
        (self.count, reasons) = (count, [:])
        guard let details = try fields.object("details") else { return }
        for path in details.keys { reasons[path] = try details.text(path) }
    }

    package func add(to fields: inout JSONFields) {
        var (counts, details) = (JSONFields(), JSONFields())
        counts.set("leftOut", count)
        for (path, reason) in reasons { details.set(path, reason) }
        fields.set("counts", counts)
        fields.set("details", details)
    }
}
