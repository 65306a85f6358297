import SecureArchive
import Vocabulary

extension JSONFields {
    /// The value of a key that every such object has.
    ///
    /// - Throws: ``ArchiveError`` if the key is missing, or its value means nothing
    func required<Value>(_ key: String, _ read: (String) throws -> Value?) throws -> Value {
        guard let value = try read(key) else { throw ArchiveError(.damaged, "it is missing or unknown", at: key) }
        return value
    }

    /// Leaves an empty list out.
    mutating func set(_ key: String, unlessEmpty texts: [String]) { set(key, texts.isEmpty ? nil : texts) }

    /// A machine, by its id and its name.
    func peer(_ key: String) throws -> PeerTag? {
        guard let inner = try object(key), let id = try inner.text("id") else { return nil }
        let twin = try inner.text("looksLike").map { try InstanceName($0) }
        return PeerTag(try PeerID(id), try inner.text("name").map { try InstanceName($0) }, twin: twin)
    }

    mutating func set(_ key: String, _ peer: PeerTag?) {
        guard let peer else { return }
        var inner = JSONFields()
        inner.set("id", peer.id.description)
        inner.set("name", peer.name?.text)
        inner.set("looksLike", peer.twin?.text)
        set(key, inner)
    }
}
