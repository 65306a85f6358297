import Discovery
public import Foundation
import LinuxPlatform
import Session
import Vocabulary

/// Lets others see a peer, and puts their invitations before the app.
///
/// `@unchecked Sendable` because nothing in it changes but what is behind a lock.
open class MCNearbyServiceAdvertiser: NSObject, @unchecked Sendable {
    private let service: NearbyService<any MCNearbyServiceAdvertiserDelegate>
    private let info: [String: String]?

    /// - Parameters:
    ///   - myPeerID: made in this program, or archived by it
    ///   - info: up to about 400 bytes; everybody can read it
    ///   - serviceType: 1 to 15 letters, digits and single hyphens
    ///
    /// What breaks these rules ends the program, as it raises an exception on Apple's systems.
    public init(peer myPeerID: MCPeerID, discoveryInfo info: [String: String]?, serviceType: String) {
        service = NearbyService(myPeerID, serviceType, for: "MCNearbyServiceAdvertiser")
        let fault = info.flatMap(PeerRecord.fault)
        precondition(
            fault == nil,
            "Invalid discoveryInfo passed to MCNearbyServiceAdvertiser: \(fault ?? "")"
        )
        self.info = info
        super.init()
    }

    deinit {
        service.stop()
    }

    /// Who is seen.
    open var myPeerID: MCPeerID { service.peer }

    /// What else others see, before they connect.
    open var discoveryInfo: [String: String]? { info }

    /// What is advertised: an app's own.
    open var serviceType: String { service.name }

    /// Who is told. It is not kept alive.
    open weak var delegate: (any MCNearbyServiceAdvertiserDelegate)? {
        get { service.delegate }
        set { service.delegate = newValue }
    }

    /// From now on others see this peer and can invite it.
    open func startAdvertisingPeer() {
        start { [weak self] peer, context, answer in
            guard let self else { return answer(nil) }
            self.ask(peer, context, answer)
        }
    }

    /// The same, with somebody else in the delegate's place for invitations.
    func start(asking ask: @escaping @Engine @Sendable (MCPeerID, Data?, Answer) -> Void) {
        let me = WeakAdvertiser(advertiser: self)
        let door = Station.Door(service.type.name, ask: ask) { me.advertiser?.stopAdvertisingPeer() }
        service.start { station, type, surroundings in
            station.add(door)
            defer { station.remove(door) }
            let port = try await station.node().port
            if let advertisement = try me.advertiser?.advertisement(type, port: port) {
                try await surroundings.advertise(advertisement) { me.advertiser?.tell($0) }
            }
        } failed: { error in
            me.advertiser?.tell("\(error)")
        }
    }

    private struct WeakAdvertiser {
        weak let advertiser: MCNearbyServiceAdvertiser?
    }

    private func advertisement(_ type: ServiceType, port: UInt16) throws -> Advertisement {
        let peer = service.peer
        return Advertisement(
            try (try? InstanceName(peer.displayName)) ?? InstanceName(peer.id.short),
            type: type,
            port: port,
            txt: try PeerRecord.record(peer.id, peer.displayName, info ?? [:]),
            interfaces: .standard
        )
    }

    /// Others see this peer no more. Sessions go on.
    open func stopAdvertisingPeer() { service.stop() }

    /// From now on a peer's invitations come to nothing, without a word, and what there is with it ends. It lasts as long as this peer does: an archived one
    /// keeps it.
    public func block(_ peerID: MCPeerID) async throws {
        do {
            try await service.peer.ownStation.block(peerID.id)
        } catch {
            throw MCError(of: error)
        }
    }

    private func ask(_ peer: MCPeerID, _ context: Data?, _ answer: Answer) {
        service.tell { [self] delegate in
            guard let delegate else { return answer(nil) }
            delegate.advertiser(self, didReceiveInvitationFromPeer: peer, withContext: context) { isAccepted, session in
                answer(isAccepted ? session : nil)
            }
        }
    }

    private func tell(_ trouble: String) {
        service.tell { [self] delegate in
            delegate?.advertiser(self, didNotStartAdvertisingPeer: MCError(.unavailable, trouble))
        }
    }
}
