/// The part of a transfer that is done.
///
/// Its keys are beside the other keys of the game.
package struct ProgressInfo: Hashable, Sendable {
    /// Bytes that have come.
    package var done: UInt64
    package var total: UInt64

    package init(done: UInt64, total: UInt64) { (self.done, self.total) = (done, total) }

    /// A hundred if there is nothing to send.
    package var percent: UInt64 { total > 0 ? done * 100 / total : 100 }

    init?(_ fields: JSONFields) throws {
        guard let done: UInt64 = try fields.integer("bytes"), let total: UInt64 = try fields.integer("total") else {
            return nil
        }
        (self.done, self.total) = (done, total)
    }

    func add(to fields: inout JSONFields) {
        fields.set("bytes", done)
        fields.set("total", total)
    }
}
