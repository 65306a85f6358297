import Ledger
import SessionRules
import Vocabulary

/// Something that a command tells: a sentence for people, an object for programs, as `docs/json-output.md` describes it.
struct SessionNews: Encodable, Sendable {
    let event: String
    var peer: PeerTag?
    var session: String?
    var name: String?
    var code: String?
    var reason: String?
    var message: String?
    var text: String?
    var base64: String?
    var path: String?
    var kind: String?
    var port: UInt16?
    var bytes: UInt64?
    var total: UInt64?
    var number: Int64?
    var time: Int64?
    var isNew: Bool?
    var isPinned: Bool?
    var isPresent: Bool?
    var addresses: [String]?
    var allows: [String]?
    var details: [String: String]?

    /// What people read; nil where it is of no use to them.
    let sentence: String?

    private enum CodingKeys: String, CodingKey {
        case event, peer, session, name, code, reason, message, text, base64, path, kind, port, bytes, total, number,
            time
        case addresses, allows, details
        case isNew = "new"
        case isPinned = "known"
        case isPresent = "present"
    }

    init(_ event: String, _ peer: PeerTag? = nil, _ sentence: String?, _ fill: (inout SessionNews) -> Void = { _ in }) {
        self.event = event
        self.peer = peer
        self.sentence = sentence
        fill(&self)
    }
}

/// A peer as commands speak of it: what it calls itself, and who it is.
struct PeerTag: Encodable, Hashable, Sendable, CustomStringConvertible {
    let id: PeerID
    let name: InstanceName?

    init(_ id: PeerID, _ name: InstanceName?) {
        self.id = id
        self.name = name
    }

    /// Fit to print. A name alone, for it has been chosen by the person who let it in, or is beside its id.
    var description: String { name?.description ?? id.short }

    /// With the id, where it has to be told from others of the same name.
    var full: String { name.map { "\($0) (\(id.short))" } ?? id.short }

    private enum CodingKeys: CodingKey {
        case id, name
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id.description, forKey: .id)
        try container.encodeIfPresent(name?.text, forKey: .name)
    }
}
