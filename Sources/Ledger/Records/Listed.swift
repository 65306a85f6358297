/// A list from the ledger: the entries that can be understood, and the number of the others.
public struct Listed<Value: Sendable>: Sendable {
    /// The entries that could be read, in the list's order.
    public let values: [Value]

    /// The number of entries that are left out because they broke a rule, as after a change by hand.
    public let unreadable: Int

    init(_ values: [Value], unreadable: Int) {
        self.values = values
        self.unreadable = unreadable
    }
}
