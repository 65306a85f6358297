import Database
import Vocabulary

/// Huddle's own types as values of a statement.
extension SQLValue {
    init(_ time: WallTime?) { self.init(time?.secondsSince1970) }
    init(_ name: InstanceName?) { self.init(name?.text) }
    init(_ label: Label?) { self.init(label?.text) }
    init(_ policy: Policy?) { self.init(policy?.rawValue) }
    init(_ peer: PeerID?) { self.init(peer?.column) }
    init<Kind>(_ id: RandomID<Kind>) { self = .bytes(id.bytes) }

    static func bytes(_ bytes: [UInt8]?) -> SQLValue { bytes.map { .bytes($0) } ?? .null }
}

extension PeerID {
    /// The form of a peer's id in the database: its 52 letters and digits. So a prefix is a range of the index, and a
    /// user of the `sqlite3` tool can read it.
    var column: String { description.filter { $0 != "-" } }
}
