package import Vocabulary

/// A peer for the user and programs: its name and its ID.
package struct PeerTag: Hashable, Sendable, CustomStringConvertible {
    package let id: PeerID
    package let name: InstanceName?
    /// The name of another machine that this one's name can be mistaken for.
    package let twin: InstanceName?

    package init(_ id: PeerID, _ name: InstanceName?, twin: InstanceName? = nil) {
        (self.id, self.name, self.twin) = (id, name, twin)
    }

    /// The name, fit to print. It needs no ID: the user chose it when pairing, or the ID is beside it.
    package var description: String { name.map { "\($0)\(twinMark)" } ?? id.short }

    /// The name with the ID, to distinguish machines of one name.
    package var full: String { name.map { "\($0) (\(id.short))\(twinMark)" } ?? id.short }

    private var twinMark: String { twin.map { " (looks like “\($0)”)" } ?? "" }

    /// The same peer, with a mark if its name can be mistaken for that of another machine.
    package func marked(among others: [PeerTag]) -> PeerTag {
        guard let name else { return self }
        let twins = others.filter { $0.id != id && $0.name?.looksLike(name) == true }
        return PeerTag(id, name, twin: twins.compactMap(\.name).min())
    }
}

extension PeerTag: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name
        case twin = "looksLike"
    }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try PeerID(keys.decode(String.self, forKey: .id)),
            try keys.decodeIfPresent(String.self, forKey: .name).map { try InstanceName($0) },
            twin: try keys.decodeIfPresent(String.self, forKey: .twin).map { try InstanceName($0) }
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(id.description, forKey: .id)
        try keys.encodeIfPresent(name?.text, forKey: .name)
        try keys.encodeIfPresent(twin?.text, forKey: .twin)
    }
}
