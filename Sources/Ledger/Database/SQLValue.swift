import Vocabulary

/// A value on its way into a statement. Values only ever go in through places marked `?`, never as part of the text.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    init(_ time: WallTime?) { self.init(time?.secondsSince1970) }
    init(_ name: InstanceName?) { self.init(name?.text) }
    init(_ label: Label?) { self.init(label?.text) }
    init(_ policy: Policy?) { self.init(policy?.rawValue) }
    init(_ peer: PeerID?) { self.init(peer?.column) }
    init<Kind>(_ id: RandomID<Kind>) { self = .bytes(id.bytes) }
}

extension PeerID {
    /// How a peer's id stands in the database: its 52 letters and digits, so that a prefix is a range of the index and a
    /// person with the `sqlite3` tool can read it.
    var column: String { description.filter { $0 != "-" } }
}
