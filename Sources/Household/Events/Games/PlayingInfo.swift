/// The machines that play a game.
package struct PlayingInfo: Hashable, Sendable {
    /// Id of another machine that plays it.
    package var other: String?
    package var isHere = false

    package init(other: String? = nil, isHere: Bool = false) { (self.other, self.isHere) = (other, isHere) }

    init(_ fields: JSONFields) throws {
        other = try fields.text("holder")
        isHere = try fields.flag("played") ?? false
    }

    func add(to fields: inout JSONFields) {
        fields.set("holder", other)
        if isHere { fields.set("played", true) }
    }
}
