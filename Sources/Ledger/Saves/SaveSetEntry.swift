import Database
public import SaveRules
public import Vocabulary

/// A save set of this machine with its settings.
public struct SaveSetEntry: Hashable, Sendable {
    /// The machines that a set is shared with.
    public enum Audience: String, Hashable, Sendable {
        /// The machines that the user chose.
        case chosen
        /// All machines of the household, also those that are paired later.
        case household
    }

    /// The id of the set, the same on every machine.
    public let id: SaveSetID
    /// The name of the set here.
    public var name: SaveSetName
    /// The folder of the set here.
    public var path: String
    /// The names in the folder that make up the set; nil if the whole folder does.
    public var chosen: ChosenNames?
    /// The patterns of files that are ignored or stay local.
    public var scope = SetScope()
    /// The text of the set's own merge rules; nil if it has none.
    public var rules: String?
    /// The machines that the set is shared with.
    public var audience = Audience.chosen
    /// The time without changes before the folder is read, in milliseconds.
    public var settleMilliseconds = 300
    /// The program whose running counts as playing; nil if none is named.
    public var program: String?
    /// The rule for keeping old snapshots.
    public var retention = RetentionRule()
    /// The snapshot that the folder holds; nil before the first one.
    public var applied: SnapshotID?
    /// The highest number that this machine has used for the set.
    public var usedCounter: UInt64 = 0

    /// Makes a set without snapshots, with the usual settings.
    public init(_ id: SaveSetID, named name: SaveSetName, at path: String) {
        (self.id, self.name, self.path) = (id, name, path)
    }

    init(_ row: Row) throws(UnreadableValue) {
        id = try row.id("id")
        name = try row.setName("name")
        path = try row.text("path")
        chosen = try row.chosenNames("chosen")
        scope = SetScope(ignored: try row.patterns("ignored"), local: try row.patterns("local"))
        rules = try row.optionalText("rules")
        audience = try row.required(Audience(rawValue: try row.text("audience")), "audience")
        settleMilliseconds = try row.count("settle_milliseconds")
        program = try row.optionalText("program")
        let count = try row.count("keep_count")
        retention = RetentionRule(
            count: try row.required(count >= 1 ? count : nil, "keep_count"),
            age: try row.optionalInteger("keep_seconds").map { .seconds($0) },
            space: try row.optionalInteger("keep_bytes").map { UInt64(clamping: $0) }
        )
        applied = try row.parsed(row.optionalBytes("applied"), "applied") { SnapshotID(bytes: $0) }
        usedCounter = try row.required(UInt64(exactly: try row.integer("used_counter")), "used_counter")
    }
}

extension Row {
    fileprivate func setName(_ column: String) throws(UnreadableValue) -> SaveSetName {
        try required(try? SaveSetName(try text(column)), column)
    }

    /// Reads patterns, one in each line.
    fileprivate func patterns(_ column: String) throws(UnreadableValue) -> PathPatterns {
        let text = try text(column)
        let lines = text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return try required(try? PathPatterns(lines), column)
    }

    /// Reads names that are separated by slashes; nil in a row without them.
    fileprivate func chosenNames(_ column: String) throws(UnreadableValue) -> ChosenNames? {
        guard let text = try optionalText(column) else { return nil }
        let names = text.utf8.split(separator: UInt8(ascii: "/")).map { try? FileName(bytes: $0) }
        return try required(
            ChosenNames(try names.map { name throws(UnreadableValue) in try required(name, column) }),
            column
        )
    }

    fileprivate func count(_ column: String) throws(UnreadableValue) -> Int {
        try required(Int(exactly: try integer(column)).flatMap { $0 >= 0 ? $0 : nil }, column)
    }
}

extension ChosenNames {
    /// The names as one text. No name contains a slash.
    var column: SQLValue { .text(names.map(\.text).joined(separator: "/")) }
}

extension PathPatterns {
    /// The patterns as one text. No pattern contains a line break.
    var column: SQLValue { .text(lines.joined(separator: "\n")) }
}
