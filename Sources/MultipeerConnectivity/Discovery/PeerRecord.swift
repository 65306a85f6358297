import Discovery
import Vocabulary

/// The data of an advertiser: its peer ID, its display name, and the app's own entries.
struct PeerRecord {
    let id: PeerID
    let displayName: String
    let info: [String: String]

    private static let idKey = "mc-id"
    private static let nameKey = "mc-name"
    /// Prefix of the app's keys that have a meaning for this module or for discovery.
    private static let escape = "mc-app-"
    private static let reserved: Set<String> = ["run", "srv", "bye", idKey, nameKey]

    /// The defect of the app's entries; nil if they are valid.
    static func fault(in info: [String: String]) -> String? {
        var keys: Set<String> = []
        for (key, value) in info {
            guard (try? TXTKey(key)) != nil else { return "a key must be printable ASCII without “=”" }
            let count = key.utf8.count + 1 + value.utf8.count
            guard count <= 255 else { return "a key and its value have at most 255 bytes" }
            guard keys.insert(key.lowercased()).inserted else { return "two keys differ in case only" }
        }
        return (try? record(.init(bytes: [UInt8](repeating: 0, count: 32)), "x", info)) == nil
            ? "all keys and values together are too long" : nil
    }

    static func record(_ id: PeerID?, _ displayName: String, _ info: [String: String]) throws -> TXTRecord {
        var txt = TXTRecord()
        try txt.set(TXTKey(idKey), to: id?.description ?? "")
        try txt.set(TXTKey(nameKey), to: displayName)
        for (key, value) in info.sorted(by: { $0.key < $1.key }) {
            let word = key.lowercased()
            let isTaken = reserved.contains(word) || word.hasPrefix(escape)
            try txt.set(TXTKey(isTaken ? escape + key : key), to: value)
        }
        return txt
    }

    /// Nil for a service of another program.
    init?(_ txt: TXTRecord) {
        guard let idKey = try? TXTKey(Self.idKey), let nameKey = try? TXTKey(Self.nameKey),
            let id = txt.text(idKey).flatMap({ try? PeerID($0) }),
            let name = txt.text(nameKey), MCPeerID.isValid(name)
        else { return nil }
        self.id = id
        displayName = name
        var info: [String: String] = [:]
        for entry in txt.entries where !Self.reserved.contains(entry.key.text.lowercased()) {
            guard let value = txt.text(entry.key) else { continue }
            let key = entry.key.text
            info[key.lowercased().hasPrefix(Self.escape) ? String(key.dropFirst(Self.escape.count)) : key] = value
        }
        self.info = info
    }
}
