import Discovery
import LinuxPlatform
import Vocabulary

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
