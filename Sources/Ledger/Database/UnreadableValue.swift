/// A value in the database that is not what stands there by the rules. It says where, never what.
struct UnreadableValue: Error, Hashable, CustomStringConvertible {
    let column: String

    var description: String { "not a value for “\(column)”" }
}
