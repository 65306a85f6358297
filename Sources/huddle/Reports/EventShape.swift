import Discovery
import FoundationEssentials
import LinuxPlatform
import Vocabulary

/// An event as JSON.
struct EventShape: Encodable {
    private let event: String
    private var peer: PeerShape?
    private var reason: String?
    private var name: String?
    private var wanted: String?
    private var message: String?

    init(_ event: DiscoveryEvent) {
        switch event {
        case .found(let peer): self.init("found", peer)
        case .updated(let peer): self.init("updated", peer)
        case .unreachable(let peer): self.init("unreachable", peer)
        case .returned(let peer): self.init("returned", peer)
        case .lost(let peer, let reason):
            self.init("lost", peer)
            self.reason = reason.rawValue
        case .notice(let notice):
            self.init("notice")
            name = notice.word
            message = notice.description
        }
    }

    init(_ event: Advertiser.Event) {
        switch event {
        case .advertised(let name):
            self.init("advertised")
            self.name = name.text
        case .renamed(let wanted, let chosen):
            self.init("renamed")
            name = chosen.text
            self.wanted = wanted.text
        case .withdrawn(let absence):
            self.init("withdrawn")
            reason = absence.rawValue
            message = absence.description
        case .noInterface:
            self.init("withdrawn")
            reason = "no-interface"
        }
    }

    private init(_ event: String, _ peer: FoundPeer? = nil) {
        self.event = event
        self.peer = peer.map(PeerShape.init)
    }
}

/// A peer as JSON.
struct PeerShape: Encodable {
    private let name: String
    private let origin: String
    private let state: String
    private let reason: String?
    private let host: String
    private let port: UInt16
    private let addresses: [String]
    private let interfaces: [String]
    private let txt: [TXTShape]

    init(_ peer: FoundPeer) {
        switch peer.origin {
        case .advertised(let name): (self.name, origin) = (name.text, "advertised")
        case .typed(let address): (name, origin) = (address.description, "typed")
        }
        switch peer.state {
        case .present: (state, reason) = ("present", nil)
        case .unreachable(let why): (state, reason) = ("unreachable", why.rawValue)
        }
        host = peer.hostName
        port = peer.port
        addresses = peer.addresses.map(\.address.description)
        interfaces = peer.interfaces
        txt = peer.txt.entries.map(TXTShape.init)
    }
}

/// An entry of a TXT record as JSON: a key alone, with a text, or with bytes in base64.
struct TXTShape: Encodable {
    private let key: String
    private var text: String?
    private var base64: String?

    init(_ entry: TXTRecord.Entry) {
        key = entry.key.text
        guard case .bytes(let bytes) = entry.value else { return }
        text = String(validating: bytes, as: UTF8.self)
        if text == nil { base64 = Data(bytes).base64EncodedString() }
    }
}

extension DiscoveryNotice {
    /// The name of the notice in JSON, which never changes.
    fileprivate var word: String {
        switch self {
        case .waitingForAvahi: "waiting-for-avahi"
        case .avahiIsThere: "avahi-is-there"
        case .interfaceAppeared: "interface-appeared"
        case .interfaceVanished: "interface-vanished"
        case .ignored: "ignored"
        case .tooManyServices: "too-many-services"
        case .missed: "missed"
        }
    }
}
