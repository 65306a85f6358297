/// A database value of the wrong type or form. The error names the column, never the value.
package struct UnreadableValue: Error, Hashable, CustomStringConvertible {
    package let column: String

    package init(column: String) {
        self.column = column
    }

    package var description: String { "not a value for “\(column)”" }
}
