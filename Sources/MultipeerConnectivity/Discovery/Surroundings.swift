import Discovery
import LinuxPlatform
import Vocabulary

/// How peers see each other before they are linked.
protocol Surroundings: Sendable {
    /// Lets others see a service until the task is cancelled, and says when that can't be at the moment.
    func advertise(_ advertisement: Advertisement, troubled: @escaping @Engine @Sendable (String) -> Void) async throws

    /// Tells of who is seen until the task is cancelled.
    func browse(for type: ServiceType, _ seen: @escaping @Engine @Sendable (Sighting) -> Void) async
}

/// Where peers look for each other. Tests put a room of their own in its place.
enum Neighbourhood {
    @TaskLocal static var surroundings: any Surroundings = LocalNetwork()
}

/// What is seen.
enum Sighting: Sendable {
    /// A service is there, or says something new.
    case there(Seen)
    /// It is not there any more.
    case gone(String)
    /// Nothing can be seen, for this reason.
    case blind(String)
}

/// One service that is there.
struct Seen: Sendable {
    /// What tells it from others at this moment.
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
            throw MCError(.unavailable, "what is to be advertised has no room in a TXT record")
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
