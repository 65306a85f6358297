import Database
public import SaveRules
public import Vocabulary

/// A save set as this machine has it.
public struct SaveSetEntry: Hashable, Sendable {
    /// Which set it is on every machine.
    public let id: SaveSetID
    /// What it is called here.
    public var name: SaveSetName
    /// Where it lies here.
    public var path: String
    /// What right in the folder makes it; nil where all of the folder does.
    public var chosen: ChosenNames?
    /// What of the folder belongs to it.
    public var scope = SetScope()
    /// How two versions of it become one, in the words of a file of rules; nil where it has none of its own.
    public var rules: String?
    /// For how long the folder has to be still before it is read, in milliseconds.
    public var settleMilliseconds = 300
    /// The program that counts as playing it while it runs; nil where none was named.
    public var program: String?
    /// Which old snapshots stay.
    public var retention = RetentionRule()
    /// What the folder shows; nil before the first snapshot.
    public var applied: SnapshotID?
    /// The highest number that this machine has used for it.
    public var usedCounter: UInt64 = 0

    /// A set that nothing was captured of yet, with the usual settings.
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

/// A set that a peer offers and that nobody here has taken up.
public struct OfferedSet: Hashable, Sendable {
    /// Who offers it.
    public let peer: PeerID
    /// What it said of it.
    public let offer: SaveOffer
    /// When it said so first.
    public let cameAt: WallTime
    /// The folder it had here, if this machine offers it to itself.
    public let folder: String?

    init(_ row: Row) throws(UnreadableValue) {
        let peer = try row.peer("peer")
        folder = try row.optionalText("folder")
        let message = try? SaveMessage(decoding: try row.bytes("offer"), from: peer)
        guard case .offer(let offer)? = message else { throw UnreadableValue(column: "offer") }
        (self.peer, self.offer) = (peer, offer)
        cameAt = try row.time("came_at")
    }
}

extension Row {
    fileprivate func setName(_ column: String) throws(UnreadableValue) -> SaveSetName {
        try required(try? SaveSetName(try text(column)), column)
    }

    /// A line for each pattern.
    fileprivate func patterns(_ column: String) throws(UnreadableValue) -> PathPatterns {
        let text = try text(column)
        let lines = text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return try required(try? PathPatterns(lines), column)
    }

    /// Names with a slash between each two; none in a row without them.
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
    /// The names as one text; none of them has a slash in it.
    var column: SQLValue { .text(names.map(\.text).joined(separator: "/")) }
}

extension PathPatterns {
    /// The lines as one text; none of them has an end of line in it.
    var column: SQLValue { .text(lines.joined(separator: "\n")) }
}
