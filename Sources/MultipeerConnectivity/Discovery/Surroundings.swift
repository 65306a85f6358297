import Discovery
import LinuxPlatform
import Vocabulary

/// Visibility of peers before they are linked.
protocol Surroundings: Sendable {
    /// Advertises a service until the task is cancelled, and reports failures.
    func advertise(_ advertisement: Advertisement, troubled: @escaping @Engine @Sendable (String) -> Void) async throws

    /// Reports visible services until the task is cancelled.
    func browse(for type: ServiceType, _ seen: @escaping @Engine @Sendable (Sighting) -> Void) async
}

/// The network of the peers. Tests replace it.
enum Neighbourhood {
    @TaskLocal static var surroundings: any Surroundings = LocalNetwork()
}

/// A change of visibility.
enum Sighting: Sendable {
    /// A service is visible, or has changed.
    case there(Seen)
    /// It is no longer visible.
    case gone(String)
    /// No service can be seen, for this reason.
    case blind(String)
}

/// One visible service.
struct Seen: Sendable {
    /// Distinguishes it from the others at this moment.
    let name: String
    let txt: TXTRecord
    let addresses: [SocketAddress]
}

/// The local network, through Avahi.
struct LocalNetwork: Surroundings {
    func advertise(
        _ advertisement: Advertisement,
        troubled: @escaping @Engine @Sendable (String) -> Void
    ) async throws {
        guard let advertiser = try? Advertiser(advertisement) else {
            throw MCError(.unavailable, "the data to advertise is too long for a TXT record")
        }
        async let running: Void = advertiser.run()
        for await event in await advertiser.events() {
            if case .withdrawn(let absence) = event { await troubled("\(absence)") }
        }
        await running
    }

    func browse(for type: ServiceType, _ seen: @escaping @Engine @Sendable (Sighting) -> Void) async {
        let browser = Browser(for: type)
        async let running: Void = browser.run()
        for await event in await browser.events() {
            switch event {
            case .found(let peer), .returned(let peer), .updated(let peer): await seen(.there(Seen(peer)))
            case .unreachable(let peer), .lost(let peer, _): await seen(.gone(peer.name))
            case .notice(.waitingForAvahi(let absence)): await seen(.blind("\(absence)"))
            case .notice: break
            }
        }
        await running
    }
}

extension Seen {
    fileprivate init(_ peer: FoundPeer) {
        self.init(name: peer.name, txt: peer.txt, addresses: peer.addresses)
    }
}
