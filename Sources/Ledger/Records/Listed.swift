/// What a list of the ledger holds: everything that can be understood, and how much can't.
public struct Listed<Value: Sendable>: Sendable {
    /// What could be read, in the list's order.
    public let values: [Value]

    /// How many entries broke a rule, as after a change by hand, and are left out.
    public let unreadable: Int

    init(_ values: [Value], unreadable: Int) {
        self.values = values
        self.unreadable = unreadable
    }
}
