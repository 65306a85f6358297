public import Discovery
public import LinuxPlatform
public import Vocabulary
import Wire

/// Where peers are, by key: what the program knows, what DNS-SD says, and what fellow members say.
///
/// What is advertised is a claim. Whoever answers at an address has to prove the key.
@Engine
final class Finder {
    private let browser: Browser?
    private let advertiser: Advertiser?
    private var learnt: [PeerID: [SocketAddress]] = [:]
    /// What each fellow member says, so that none can crowd out or replace what another does.
    private var told: [Hearsay] = []
    /// Told whenever a peer turns up.
    var found: @Engine (PeerID) -> Void = { _ in }
    /// Told whenever something else stands between this machine and the others, or nothing any more.
    var visibilityChanged: @Engine (Visibility) -> Void = { _ in }
    private(set) var visibility = Visibility.unknown {
        didSet { if visibility != oldValue { visibilityChanged(visibility) } }
    }

    /// What one fellow member says of where others are.
    private struct Hearsay {
        let fellow: PeerID
        private(set) var peers: [PeerID: [SocketAddress]] = [:]
        private var room = Finder.toldLimit

        init(from fellow: PeerID) { self.fellow = fellow }

        /// Notes as many as there is room for; nothing of a peer is dropped for another one.
        mutating func note(_ addresses: [SocketAddress], of peer: PeerID) {
            room += peers.removeValue(forKey: peer)?.count ?? 0
            let noted = addresses.prefix(min(Finder.addressLimit, room))
            guard !noted.isEmpty else { return }
            room -= noted.count
            peers[peer] = Array(noted)
        }
    }

    /// Of how many peers the program may say where they are, and how many addresses each of its fellows may say in all.
    private nonisolated static let toldLimit = 1024
    private static let fellowLimit = 64
    private nonisolated static let addressLimit = 16

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
            if let advertiser {
                group.addTask { await advertiser.run() }
                group.addTask { await self.follow(advertiser) }
            }
            if let browser {
                group.addTask { await browser.run() }
                group.addTask { await self.follow(browser) }
            }
        }
    }

    private func follow(_ advertiser: Advertiser) async {
        for await event in await advertiser.events() { visibility = Visibility(event) }
    }

    private func follow(_ browser: Browser) async {
        let events = await browser.events()
        while let event = await events.next() {
            switch event {
            case .found(let peer), .returned(let peer), .updated(let peer):
                if let id = Self.id(of: peer) { found(id) }
            // Who advertises hears the same there, and whether it is seen besides.
            case .notice(let notice): if advertiser == nil, let now = Visibility(notice) { visibility = now }
            case .unreachable, .lost: break
            }
        }
    }

    /// Says under which names paired machines were seen last.
    func know(_ names: Set<InstanceName>) async { await browser?.know(names) }

    /// Who is seen now, and under which claim.
    func peers() async -> [(peer: FoundPeer, id: PeerID?)] {
        await browser?.peers().map { ($0, Self.id(of: $0)) } ?? []
    }

    /// Asks those that are seen whether they are still there.
    func probe() async { await browser?.probed() }

    /// Where a peer may be, the best first: as the program knows, as it is seen, by whoever claims to be it, and as fellow
    /// members say.
    func addresses(
        of peer: PeerID
    ) async -> (learnt: [SocketAddress], seen: [SocketAddress], told: [SocketAddress]) {
        let claims = await peers().filter { $0.id == peer }.map(\.peer.addresses)
        return (
            learnt[peer] ?? [], DialOrder.interleaved(claims), DialOrder.interleaved(told.compactMap { $0.peers[peer] })
        )
    }

    /// The program knows where a peer is, by means of its own. What fellow members say takes the place of none of it.
    func learn(_ addresses: [SocketAddress], of peer: PeerID) {
        guard learnt.count < Self.toldLimit || learnt[peer] != nil else { return }
        learnt[peer] = Array(addresses.prefix(Self.addressLimit))
    }

    /// A fellow member says where another is.
    func wasTold(of member: ControlFrame.Member, seenFrom link: Link) {
        guard member.port != 0 else { return }
        let interface = link.peerAddress?.address.interfaceIndex ?? 0
        let addresses = member.addresses.compactMap { address in
            IPAddress(bytes: address.bytes, seenOn: interface).map { SocketAddress($0, port: member.port) }
        }
        wasTold(addresses, of: member.peer, by: link.peer)
    }

    /// The same, as the program heard it.
    func wasTold(_ addresses: [SocketAddress], of peer: PeerID, by teller: PeerID) {
        if !told.contains(where: { $0.fellow == teller }) {
            // Who told something long ago is not asked for it any more.
            if told.count == Self.fellowLimit { told.removeFirst() }
            told.append(Hearsay(from: teller))
        }
        guard let place = told.firstIndex(where: { $0.fellow == teller }) else { return }
        told[place].note(addresses, of: peer)
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
    /// Whether this machine and the others on the network can find each other by themselves.
    public var visibility: Visibility { finder.visibility }

    /// Who is seen on the network, and as whom they claim to come.
    public func foundPeers() async -> [(peer: FoundPeer, id: PeerID?)] { await finder.peers() }

    /// Asks those that are seen whether they are still there, and returns once each has answered or been given up.
    ///
    /// Nobody is asked while nobody looks, so a machine whose cable was cut is listed until its announcement grows old.
    public func probePeers() async { await finder.probe() }

    /// Where a linked peer listens, as others can reach it too; nil where it does not, or where there is no link.
    public func address(of peer: PeerID) -> SocketAddress? { links[peer]?.peerAddress }

    /// Whether this machine has a connection to a peer now.
    public func isLinked(to peer: PeerID) -> Bool { links[peer]?.isOpen == true }

    /// Says where a peer is to be looked for, for a program that has a way of its own to know. Whoever answers there still has to prove the key.
    public func learn(_ addresses: [SocketAddress], of peer: PeerID) {
        learn(claims: [addresses], of: peer)
    }

    /// The same from several that claim to be that peer, each at its own addresses: none can crowd out the others.
    public func learn(claims: [[SocketAddress]], of peer: PeerID) {
        let addresses = DialOrder.interleaved(claims)
        finder.learn(addresses, of: peer)
        returns[peer]?.hint()
    }

    /// Says what a fellow member, whom this machine shares a session with, says of where another peer is. It takes the place of nothing that the program
    /// has learnt or that others say.
    public func wasTold(_ addresses: [SocketAddress], of peer: PeerID, by fellow: PeerID) {
        guard isMember(fellow) else { return }
        finder.wasTold(addresses, of: peer, by: fellow)
        returns[peer]?.hint()
    }

    func followFinder() async {
        finder.found = { [weak self] peer in
            self?.returns[peer]?.hint()
            self?.whenFound(peer)
        }
        finder.visibilityChanged = { [weak self] in self?.tell(.visibility($0)) }
    }
}
