import Database

extension Ledger {
    /// The number of kept counters. Beyond it, the counter that was set longest ago is deleted. An unknown machine can
    /// make any number of keys, and so push out the counter of one key. But ``CounterScope/wrongCodes`` still counts
    /// its codes and is never deleted.
    public static let counterLimit = 10_000

    /// Reads a counter, which is zero if nothing was counted.
    public func counter(_ scope: CounterScope) throws(LedgerError) -> Counter {
        try database.row(
            "SELECT count, locked_until FROM counters WHERE scope = ?",
            .text(scope.word),
            read: Counter.init
        ) ?? Counter()
    }

    /// Sets a counter.
    public func set(_ counter: Counter, for scope: CounterScope) throws(LedgerError) {
        try change(scope) { $0 = counter }
    }

    /// Changes a counter in one transaction, and returns the new value.
    @discardableResult
    public func change(
        _ scope: CounterScope,
        _ change: @Sendable (inout Counter) -> Void
    ) throws(LedgerError) -> Counter {
        try write(.promised) { database throws(LedgerError) in
            var counter = try self.counter(scope)
            change(&counter)
            try database.run("DELETE FROM counters WHERE scope = ?", .text(scope.word))
            guard counter != Counter() else { return counter }
            try database.run(
                "INSERT INTO counters (scope, count, locked_until) VALUES (?, ?, ?)",
                .text(scope.word),
                .integer(Int64(counter.count)),
                SQLValue(counter.lockedUntil)
            )
            // Ids only grow, so the last ten thousand are at the end.
            try database.run(
                "DELETE FROM counters WHERE id <= (SELECT max(id) FROM counters) - ? AND scope <> ?",
                .integer(Int64(Self.counterLimit)),
                .text(CounterScope.wrongCodes.word)
            )
            return counter
        }
    }
}
