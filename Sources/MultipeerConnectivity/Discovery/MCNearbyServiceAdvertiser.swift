import Discovery
public import Foundation
import LinuxPlatform
import Session
import Vocabulary

/// Advertises a peer, and delivers invitations to the app.
///
/// `@unchecked Sendable` because its mutable state is behind a lock.
open class MCNearbyServiceAdvertiser: NSObject, @unchecked Sendable {
    private let service: NearbyService<any MCNearbyServiceAdvertiserDelegate>
    private let info: [String: String]?

    /// - Parameters:
    ///   - myPeerID: a peer that this program created or archived
    ///   - info: at most about 400 bytes; every machine on the network can read it
    ///   - serviceType: 1 to 15 letters, digits and single hyphens
    ///
    /// A violation of these rules ends the program; on Apple's systems it raises an exception.
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

    /// The advertised peer.
    open var myPeerID: MCPeerID { service.peer }

    /// Further data that others see before they connect.
    open var discoveryInfo: [String: String]? { info }

    /// The service type of the app.
    open var serviceType: String { service.name }

    /// The delegate, held weakly.
    open weak var delegate: (any MCNearbyServiceAdvertiserDelegate)? {
        get { service.delegate }
        set { service.delegate = newValue }
    }

    /// Starts advertising: others can see and invite this peer.
    open func startAdvertisingPeer() {
        start { [weak self] peer, context, answer in
            guard let self else { return answer(nil) }
            self.ask(peer, context, answer)
        }
    }

    /// Starts advertising, with a closure in place of the delegate for invitations.
    func start(asking ask: @escaping @Engine @Sendable (MCPeerID, Data?, Answer) -> Void) {
        let me = WeakAdvertiser(advertiser: self)
        let advertised = LocalPeerNode.AdvertisedService(service.type.name, ask: ask) {
            me.advertiser?.stopAdvertisingPeer()
        }
        service.start { localNode, type, surroundings in
            localNode.add(advertised)
            defer { localNode.remove(advertised) }
            let port = try await localNode.node().port
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

    /// Stops advertising. Sessions continue.
    open func stopAdvertisingPeer() { service.stop() }

    /// Blocks a peer: its invitations end without an answer, and its memberships end. The block lasts as long as this
    /// peer; an archived peer keeps it.
    public func block(_ peerID: MCPeerID) async throws {
        do {
            try await service.peer.ownNode.block(peerID.id)
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
