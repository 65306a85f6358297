import Diagnosis
import Discovery
import Glibc
import Household
import LinuxPlatform
import Synchronization
import Vocabulary

/// The results of DNS-SD within a few seconds: the state of Avahi, the name of this machine on the network, and peers.
///
/// The check advertises a service of its own and browses for it. Avahi's library may hang as long as its daemon hangs,
/// so the check never waits for its tasks to end.
final class NetworkLook: Sendable {
    private struct State {
        var absence: AvahiAbsence?
        var isThere = false
        var hostName: String?
        var found: [FoundPeer.Origin: FoundPeer] = [:]
    }

    private static let patience: Duration = .seconds(5)
    /// The time to find peers, from the start of the check. It does not apply if Avahi never responds.
    private static let courtesy: Duration = .seconds(3)

    private let state = Mutex(State())
    private let isSettled = Resumption<Void>()

    static func look(for type: ServiceType, on interfaces: InterfaceChoice) async -> NetworkLook {
        let look = NetworkLook()
        guard let name = try? InstanceName("huddle doctor \(getpid())"),
            let own = try? ServiceType("_huddle-doctor._tcp"), let port = try? PlaceholderPort(),
            let advertiser = try? Advertiser(
                Advertisement(name, type: own, port: port.port, interfaces: interfaces)
            )
        else { return look }
        let configuration = Browser.Configuration(interfaces: interfaces)
        let browsers = [
            Browser(for: type, configuration: configuration), Browser(for: own, configuration: configuration),
        ]
        var tasks = [work { await advertiser.run() }]
        for browser in browsers {
            tasks.append(work { await browser.run() })
            tasks.append(work { for await event in await browser.events() { look.note(event, own: name) } })
        }
        let begun = ContinuousClock.now
        try? await EventLoop.shared.withDeadline(patience, "Avahi") { try await look.isSettled.valueUnlessCancelled() }
        let left = courtesy - (.now - begun)
        if look.isThere, left > .zero { try? await EventLoop.shared.sleep(for: left) }
        for task in tasks { task.cancel() }
        withExtendedLifetime(port) {}
        return look
    }

    private static func work(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: EventLoop.shared.taskExecutor) { await body() }
    }

    var isThere: Bool { state.withLock(\.isThere) }

    /// The peers that advertise their ID.
    var peers: [PeerID: FoundPeer] {
        let found = state.withLock(\.found).values.filter { $0.state == .present }
        return Dictionary(
            found.compactMap { peer in
                peer.txt.text(.peerID).flatMap { try? PeerID($0) }.map { ($0, peer) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    func facts(own: PeerID?, _ interfaces: InterfaceLook) -> AvahiFacts {
        let (absence, isThere, name) = state.withLock { ($0.absence, $0.isThere, $0.hostName) }
        let ownName = MachineName.own.text
        let word: AvahiFacts.State =
            if isThere {
                .answers
            } else {
                switch absence {
                case .noBus: .noBus
                case .noDaemon: .noDaemon
                case .refused: .refused
                case nil: .silent
                }
            }
        return AvahiFacts(
            state: word,
            nameInUse: name,
            ownName: ownName,
            namesakes: namesakes(of: ownName, own, interfaces)
        )
    }

    private func namesakes(of ownName: String, _ own: PeerID?, _ interfaces: InterfaceLook) -> [String] {
        guard own != nil else { return [] }
        let wanted = "\(ownName.lowercased()).local"
        // A second huddled, or that of another user, has this machine's addresses and is no namesake.
        let here = Set(interfaces.all.flatMap(\.addresses).map(\.bytes))
        let others = peers.filter { id, peer in
            id != own && peer.hostName.lowercased() == wanted
                && !peer.addresses.contains { here.contains($0.address.bytes) }
        }
        return others.values.compactMap { $0.addresses.first?.address.description }.sorted()
    }

    private func note(_ event: DiscoveryEvent, own: InstanceName) {
        let isEnough = state.withLock { state in
            switch event {
            case .notice(.avahiIsThere): (state.isThere, state.absence) = (true, nil)
            case .notice(.waitingForAvahi(let absence)): (state.isThere, state.absence) = (false, absence)
            case .found(let peer), .updated(let peer), .returned(let peer), .unreachable(let peer):
                if peer.origin == .advertised(own) {
                    state.hostName = peer.hostName
                } else if !peer.txt.entries.isEmpty {
                    state.found[peer.origin] = peer
                }
            case .lost(let peer, _): state.found[peer.origin] = nil
            case .notice: break
            }
            return state.absence != nil || state.hostName != nil
        }
        if isEnough { isSettled.resume(with: .success(())) }
    }
}
