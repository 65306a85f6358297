/// A value in the database that is not what stands there by the rules. It says where, never what.
package struct UnreadableValue: Error, Hashable, CustomStringConvertible {
    package let column: String

    package init(column: String) {
        self.column = column
    }

    package var description: String { "not a value for “\(column)”" }
}
