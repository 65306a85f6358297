import Database
public import SaveRules
public import Vocabulary

extension Ledger {
    /// The policy for invitations from peers without a policy of their own (default: ask the user).
    public func defaultPolicy() throws(LedgerError) -> Policy {
        try database.defaultPolicy()
    }

    /// Sets the policy for invitations from peers without a policy of their own.
    public func setDefaultPolicy(_ policy: Policy) throws(LedgerError) {
        try set("default-policy", to: policy.rawValue)
    }

    /// The name that this machine shows to others; nil if the user chose none.
    public func displayName() throws(LedgerError) -> InstanceName? {
        try database.setting("display-name") { row throws(UnreadableValue) in try row.optionalName("value") }
    }

    /// Chooses the name that this machine shows to others; nil removes the choice.
    public func setDisplayName(_ name: InstanceName?) throws(LedgerError) {
        try set("display-name", to: name?.text)
    }

    /// The port on which this machine last listened; nil if it is unknown.
    public func port() throws(LedgerError) -> UInt16? {
        try database.setting("port") { row throws(UnreadableValue) in
            try row.parsed(try row.optionalText("value"), "value") { UInt16($0) }
        }
    }

    /// Stores the port on which this machine listens.
    public func keepPort(_ port: UInt16) throws(LedgerError) {
        try set("port", to: "\(port)")
    }

    /// The pauses of games; none if the stored text is damaged.
    public func pauses() throws(LedgerError) -> SyncPauses {
        try database.setting("pauses") { row throws(UnreadableValue) in
            try row.parsed(try row.optionalText("value"), "value") { SyncPauses($0) }
        } ?? SyncPauses()
    }

    /// Stores the pauses of games.
    public func keep(_ pauses: SyncPauses) throws(LedgerError) {
        try set("pauses", to: pauses.isEmpty ? nil : pauses.text)
    }

    /// The names of the games that this machine has found and shared, each with its set as it was then.
    ///
    /// A game stays in it after a user stops syncing it, so that it is not shared by itself again.
    public func foundGames() throws(LedgerError) -> [String: SaveSetID] {
        try database.setting("found-games") { row throws(UnreadableValue) in
            try row.optionalText("value").map { text in
                let games = text.split(separator: "\n").compactMap { line -> (String, SaveSetID)? in
                    let words = line.split(separator: " ")
                    guard words.count == 3, let high = UInt64(words[1], radix: 16),
                        let low = UInt64(words[2], radix: 16)
                    else { return nil }
                    return (String(words[0]), SaveSetID(high: high, low: low))
                }
                return Dictionary(games) { first, _ in first }
            }
        } ?? [:]
    }

    /// Stores the games that this machine has found and shared.
    /// - Parameter games: by short names, which have no space
    public func keepFoundGames(_ games: [String: SaveSetID]) throws(LedgerError) {
        let lines = games.sorted { $0.key < $1.key }.map { name, set in
            "\(name) \(String(set.words.high, radix: 16)) \(String(set.words.low, radix: 16))"
        }
        try set("found-games", to: lines.isEmpty ? nil : lines.joined(separator: "\n"))
    }

    private func set(_ word: String, to value: String?) throws(LedgerError) {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            guard let value else { return try database.run("DELETE FROM settings WHERE word = ?", .text(word)) }
            try database.run("INSERT OR REPLACE INTO settings (word, value) VALUES (?, ?)", .text(word), .text(value))
        }
    }
}
