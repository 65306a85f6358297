import Database
import Vocabulary

/// The house's own kinds of value on their way into a statement.
extension SQLValue {
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
