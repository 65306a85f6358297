public import Discovery
import LinuxPlatform
public import Vocabulary
import Wire

/// Where peers are, by key: what DNS-SD says, and what fellow members say.
///
/// What is advertised is a claim. Whoever answers at an address has to prove the key.
@Engine
final class Finder {
    private let browser: Browser?
    private let advertiser: Advertiser?
    private var told: [PeerID: [SocketAddress]] = [:]
    /// Told whenever a peer turns up.
    var found: @Engine (PeerID) -> Void = { _ in }

    private static let toldLimit = 1024

    init(_ configuration: NodeConfiguration, own: PeerID, port: UInt16) {
        var txt = TXTRecord()
        // because 2 + 1 + 64 bytes fit into an entry
        try? txt.set(.peerID, to: own.description)
        let advertisement = Advertisement(
            configuration.name,
            type: configuration.serviceType,
            port: port,
            txt: txt,
            interfaces: configuration.interfaces
        )
        advertiser = configuration.advertises && port != 0 ? try? Advertiser(advertisement) : nil
        browser =
            configuration.browses
            ? Browser(
                for: configuration.serviceType,
                configuration: .init(interfaces: configuration.interfaces, ignoring: advertiser)
            ) : nil
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            if let advertiser { group.addTask { await advertiser.run() } }
            if let browser {
                group.addTask { await browser.run() }
                group.addTask { await self.follow(browser) }
            }
        }
    }

    private func follow(_ browser: Browser) async {
        let events = await browser.events()
        while let event = await events.next() {
            switch event {
            case .found(let peer), .returned(let peer), .updated(let peer):
                if let id = Self.id(of: peer) { found(id) }
            case .unreachable, .lost, .notice: break
            }
        }
    }

    /// Who is seen now, and under which claim.
    func peers() async -> [(peer: FoundPeer, id: PeerID?)] {
        await browser?.peers().map { ($0, Self.id(of: $0)) } ?? []
    }

    /// Where a peer may be, the best first. Where it is not seen yet, nothing.
    func addresses(of peer: PeerID) async -> [SocketAddress] {
        let seen = await peers().filter { $0.id == peer }.flatMap(\.peer.addresses)
        return seen + (told[peer] ?? [])
    }

    /// A fellow member says where another is.
    func wasTold(of member: ControlFrame.Member, seenFrom link: Link) {
        guard member.port != 0, told.count < Self.toldLimit || told[member.peer] != nil else { return }
        let interface = link.peerAddress?.address.interfaceIndex ?? 0
        told[member.peer] = member.addresses.compactMap { address in
            IPAddress(bytes: address.bytes, seenOn: interface).map { SocketAddress($0, port: member.port) }
        }
    }

    private static func id(of peer: FoundPeer) -> PeerID? {
        peer.txt.text(.peerID).flatMap { try? PeerID($0) }
    }

    /// The addresses behind what a person typed, or what was kept.
    nonisolated static func lookUp(_ typed: [HostAndPort]) async -> [SocketAddress] {
        var addresses: [SocketAddress] = []
        for typed in typed {
            addresses += await typed.socketAddresses()
        }
        return addresses
    }
}

extension Node {
    /// Who is seen on the network, and as whom they claim to come.
    public func foundPeers() async -> [(peer: FoundPeer, id: PeerID?)] { await finder.peers() }

    func followFinder() async {
        finder.found = { [weak self] peer in self?.returns[peer]?.hint() }
    }
}
