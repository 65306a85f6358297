import Database
import SaveRules
import Vocabulary

/// Columns with Huddle's own types, each checked by its own rules.
extension Row {
    func time(_ column: String) throws(UnreadableValue) -> WallTime {
        WallTime(secondsSince1970: try integer(column))
    }

    func optionalTime(_ column: String) throws(UnreadableValue) -> WallTime? {
        try optionalInteger(column).map { WallTime(secondsSince1970: $0) }
    }

    func peer(_ column: String) throws(UnreadableValue) -> PeerID {
        try required(try optionalPeer(column), column)
    }

    func optionalPeer(_ column: String) throws(UnreadableValue) -> PeerID? {
        try parsed(optionalText(column), column) { try? PeerID($0) }
    }

    func optionalName(_ column: String) throws(UnreadableValue) -> InstanceName? {
        try parsed(optionalText(column), column) { try? InstanceName($0) }
    }

    func optionalLabel(_ column: String) throws(UnreadableValue) -> Label? {
        try parsed(optionalText(column), column) { try? Label($0) }
    }

    func optionalPolicy(_ column: String) throws(UnreadableValue) -> Policy? {
        try parsed(optionalText(column), column) { Policy(rawValue: $0) }
    }

    func id<Kind>(_ column: String) throws(UnreadableValue) -> RandomID<Kind> {
        try required(RandomID(bytes: try bytes(column)), column)
    }

    /// Parses a value. Nil stays nil, but a value that does not parse is an error.
    func parsed<Raw, Value>(_ raw: Raw?, _ column: String, _ parse: (Raw) -> Value?) throws(UnreadableValue) -> Value? {
        guard let raw else { return nil }
        return try required(parse(raw), column)
    }

    func snapshot(_ column: String) throws(UnreadableValue) -> SnapshotID {
        try required(SnapshotID(bytes: try bytes(column)), column)
    }
}

extension SnapshotID {
    /// Reads ids that are stored one after the other; nil if the bytes are no whole number of ids.
    static func list(in bytes: [UInt8]) -> [SnapshotID]? {
        guard bytes.count.isMultiple(of: SnapshotID.byteCount) else { return nil }
        let ids = stride(from: 0, to: bytes.count, by: SnapshotID.byteCount).map {
            SnapshotID(bytes: bytes[$0..<$0 + SnapshotID.byteCount])
        }
        return ids.contains { $0 == nil } ? nil : ids.compactMap { $0 }
    }
}
