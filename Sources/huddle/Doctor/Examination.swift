import CommandTable
import Control
import Diagnosis
import Discovery
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// Gathers all facts that explain why machines can't find or reach each other, for the rules of `Diagnosis`.
///
/// Each check has a time limit, and a part that does not respond becomes a finding.
struct Examination: Sendable {
    private let given: GivenValues
    private let places: OwnPlaces
    private let type: ServiceType
    private let firewall: Firewall
    private let games: GameLook

    /// - Parameters:
    ///   - firewall: the firewall, which was examined while the process was root
    ///   - game: the game that the user asks about; nil for all
    init(_ given: GivenValues, _ firewall: Firewall, game: String?) {
        self.given = given
        self.firewall = firewall
        games = GameLook(game, given)
        places = OwnPlaces(given)
        type = given[LookingOptions.type]
    }

    /// The findings, sorted with the worst first.
    func findings() async -> [Finding] {
        let settings = SettingsLook(given, in: places)
        async let daemon = DaemonLook.look(given)
        async let kept = KeptLook.look(in: places.state)
        let interfaces = InterfaceLook(allowedBy: settings.value.interfaces)
        async let network = NetworkLook.look(for: type, on: settings.value.interfaces)
        let (there, remembered) = await (daemon, kept)
        let own = there.peer ?? remembered.own
        async let calls = calls(over: interfaces, to: remembered)
        let here = await LocalLook(places, settings, there, remembered).findings()
        let seen = await network
        let peers = await PeerLook.joined(remembered, seen, own: own, interfaces)
        var all = there.facts.findings + settings.facts.findings
        all += seen.facts(own: own, interfaces).findings + interfaces.facts.findings
        all += multicast(await calls, interfaces, peers, hasResponder: seen.isThere, firewall)
        if there.port != nil { all += await port(there, interfaces, firewall).findings }
        all += peers.filter { games.concerns($0, there) }.flatMap(\.facts.findings) + remembered.findings + here
        all += await games.findings(there, peers)
        all += there.accounts.flatMap { accountFacts(of: $0).findings }
        return all.inOrder
    }

    private func accountFacts(of machine: MachineInfo) -> AccountFacts {
        AccountFacts(
            machine.machine.full,
            version: machine.version.flatMap { ProgramVersion($0) },
            ownVersion: Release.program,
            secondsAhead: machine.secondsAhead,
            isClockKept: CalendarClock.isKept
        )
    }

    private func calls(
        over interfaces: InterfaceLook,
        to remembered: KeptLook
    ) async -> [(interface: NetworkInterface, answer: MulticastCall.Answer)] {
        let call = MulticastCall(asking: type, and: remembered.addresses.map(\.address))
        return await withTaskGroup(of: (NetworkInterface, MulticastCall.Answer).self) { group in
            for interface in interfaces.usable { group.addTask { (interface, await call.make(over: interface)) } }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0.index < $1.0.index }
        }
    }

    private func multicast(
        _ calls: [(interface: NetworkInterface, answer: MulticastCall.Answer)],
        _ interfaces: InterfaceLook,
        _ peers: [PeerLook],
        hasResponder: Bool,
        _ firewall: Firewall
    ) -> [Finding] {
        let own = Set(interfaces.usable.flatMap(\.addresses).map(\.bytes))
        return calls.flatMap { interface, answer in
            let unheard = peers.filter { peer in
                // The daemon of another user on this machine has an address of this machine. Packets from such an
                // address count as this machine's own, and never as heard. So that peer can't count as unheard.
                guard let address = peer.answeredAt?.address, !own.contains(address.bytes) else { return false }
                return interfaces.link(to: address) == interface.index
                    && !peer.addresses.contains { answer.heard.contains($0.address.bytes) }
            }
            return MulticastFacts(
                interface: interface.name,
                sendingFailed: answer.failure,
                ownAnswered: answer.ownAnswered,
                heard: answer.heard.count,
                unheardPeers: unheard.map(\.facts.words),
                hasResponder: hasResponder,
                hasGivenAddress: interface.addresses.contains { !$0.isLinkLocal },
                firewall: firewall
            ).findings
        }
    }

    private func port(
        _ daemon: DaemonLook,
        _ interfaces: InterfaceLook,
        _ firewall: Firewall
    ) async -> PortFacts {
        let port = daemon.port ?? 0
        var addresses: [PortFacts.Address] = []
        for interface in interfaces.usable where port != 0 {
            guard let address = interface.addresses.first else { continue }
            let answered = await Dial.to(SocketAddress(address, port: port)).connection == .answered
            addresses.append(.init("\(address)", on: interface.name, takesConnections: answered))
        }
        return PortFacts(
            port: port,
            addresses: addresses,
            firewall: firewall,
            arrivals: daemon.arrivals,
            isCutOff: interfaces.facts.isCutOff
        )
    }
}

extension [Finding] {
    /// The findings with the worst first, then in the order of the checks. Findings of one check keep their order.
    fileprivate var inOrder: [Finding] {
        let listed = Finding.Check.allCases.flatMap { check in filter { $0.check == check } }
        return [.fault, .warning, .well].flatMap { grade in listed.filter { $0.grade == grade } }
    }
}
