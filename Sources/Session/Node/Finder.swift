import Discovery
import LinuxPlatform
import Vocabulary
import Wire

/// Finds the addresses of peers, by key. Sources are the program, DNS-SD, and members of the same sessions.
///
/// An advertisement is a claim. A machine that answers at an address must prove the key.
@Engine
final class Finder {
    private let browser: Browser?
    private let advertiser: Advertiser?
    private var learnt: [PeerID: [SocketAddress]] = [:]
    /// The addresses from each member, so that no member can crowd out or replace those from another.
    private var relayed: [MemberAddresses] = []
    /// Called for each peer that appears.
    var found: @Engine (PeerID) -> Void = { _ in }
    /// Called after a peer has come into sight or gone out of it.
    var sightChanged: @Engine () -> Void = {}
    /// Called after each change of ``visibility``.
    var visibilityChanged: @Engine (Visibility) -> Void = { _ in }
    private(set) var visibility = Visibility.unknown {
        didSet { if visibility != oldValue { visibilityChanged(visibility) } }
    }

    /// The addresses of peers that one member sent.
    private struct MemberAddresses {
        let member: PeerID
        private(set) var peers: [PeerID: [SocketAddress]] = [:]
        private var room = Finder.reportLimit

        init(from member: PeerID) { self.member = member }

        /// Adds as many addresses as there is room for. No peer loses addresses to another.
        mutating func add(_ addresses: [SocketAddress], of peer: PeerID) {
            room += peers.removeValue(forKey: peer)?.count ?? 0
            let noted = addresses.prefix(min(Finder.addressLimit, room))
            guard !noted.isEmpty else { return }
            room -= noted.count
            peers[peer] = Array(noted)
        }
    }

    /// The number of peers with addresses from the program, and the number of addresses from one member.
    private nonisolated static let reportLimit = 1024
    private static let memberLimit = 64
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
            case .found, .returned, .unreachable, .lost: sightChanged()
            case .updated, .notice: break
            }
            switch event {
            case .found(let peer), .returned(let peer), .updated(let peer):
                if let id = Self.id(of: peer) { found(id) }
            // An advertiser reports the same, and also if others see this machine.
            case .notice(let notice): if advertiser == nil, let now = Visibility(notice) { visibility = now }
            case .unreachable, .lost: break
            }
        }
    }

    /// Sets the last names of paired machines.
    func know(_ names: Set<InstanceName>) async { await browser?.know(names) }

    /// The visible peers, with the ids that they claim.
    func peers() async -> [(peer: FoundPeer, id: PeerID?)] {
        await browser?.peers().map { ($0, Self.id(of: $0)) } ?? []
    }

    /// Checks if the visible peers are still online.
    func probe() async { await browser?.probed() }

    /// The possible addresses of a peer, the best first: from the program, from machines that claim to be the peer, and
    /// from members.
    func addresses(
        of peer: PeerID
    ) async -> (learnt: [SocketAddress], seen: [SocketAddress], relayed: [SocketAddress]) {
        let claims = await peers().filter { $0.id == peer }.map(\.peer.addresses)
        return (
            learnt[peer] ?? [], DialOrder.interleaved(claims),
            DialOrder.interleaved(relayed.compactMap { $0.peers[peer] })
        )
    }

    /// Takes addresses from the program. Addresses from members replace none of them.
    func learn(_ addresses: [SocketAddress], of peer: PeerID) {
        guard learnt.count < Self.reportLimit || learnt[peer] != nil else { return }
        learnt[peer] = Array(addresses.prefix(Self.addressLimit))
    }

    /// Takes the addresses of one member from another.
    func add(_ member: ControlFrame.Member, seenFrom link: Link) {
        guard member.port != 0 else { return }
        let interface = link.peerAddress?.address.interfaceIndex ?? 0
        let addresses = member.addresses.compactMap { address in
            IPAddress(bytes: address.bytes, seenOn: interface).map { SocketAddress($0, port: member.port) }
        }
        add(addresses, of: member.peer, from: link.peer)
    }

    /// Takes addresses of a peer from a member.
    func add(_ addresses: [SocketAddress], of peer: PeerID, from member: PeerID) {
        if !relayed.contains(where: { $0.member == member }) {
            // The oldest entry is dropped.
            if relayed.count == Self.memberLimit { relayed.removeFirst() }
            relayed.append(MemberAddresses(from: member))
        }
        guard let place = relayed.firstIndex(where: { $0.member == member }) else { return }
        relayed[place].add(addresses, of: peer)
    }

    private static func id(of peer: FoundPeer) -> PeerID? {
        peer.txt.text(.peerID).flatMap { try? PeerID($0) }
    }

    /// Resolves addresses that the user typed or that are stored.
    nonisolated static func lookUp(_ typed: [HostAndPort]) async -> [SocketAddress] {
        var addresses: [SocketAddress] = []
        for typed in typed {
            addresses += await typed.socketAddresses()
        }
        return addresses
    }
}
