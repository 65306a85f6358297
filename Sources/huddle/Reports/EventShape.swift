import Discovery
import LinuxPlatform
import Vocabulary

/// An event of discovery as JSON.
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
