/// The last save of a game.
///
/// Its keys are beside the other keys of the game.
package struct LastSaveInfo: Hashable, Sendable {
    package var machine: PeerTag
    /// Seconds since 1970, by the clock of that machine.
    package var time: Int64

    package init(on machine: PeerTag, at time: Int64) { (self.machine, self.time) = (machine, time) }

    init?(_ fields: JSONFields) throws {
        guard let machine = try fields.peer("peer"), let time: Int64 = try fields.integer("time") else { return nil }
        (self.machine, self.time) = (machine, time)
    }

    func add(to fields: inout JSONFields) {
        fields.set("peer", machine)
        fields.set("time", time)
    }
}
