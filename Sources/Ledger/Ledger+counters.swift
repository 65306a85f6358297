import Database

extension Ledger {
    /// How many counters are kept; the one that was set longest ago gives way. Strangers make as many keys as they like,
    /// and what one key escapes from so is still counted in ``CounterScope/wrongCodes``, which never gives way.
    public static let counterLimit = 10_000

    /// How far something has been counted; nothing where it has not.
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

    /// Changes a counter by what it is, with no other program in between, and answers what it is then.
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
            // Numbers only grow, so those of the last ten thousand are at the end.
            try database.run(
                "DELETE FROM counters WHERE id <= (SELECT max(id) FROM counters) - ? AND scope <> ?",
                .integer(Int64(Self.counterLimit)),
                .text(CounterScope.wrongCodes.word)
            )
            return counter
        }
    }
}
