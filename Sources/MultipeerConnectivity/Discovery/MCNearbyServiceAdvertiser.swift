import Discovery
public import Foundation
import LinuxPlatform
import Session
import Vocabulary

/// Lets others see a peer, and puts their invitations before the app.
///
/// `@unchecked Sendable` because what changes in it is behind a lock.
open class MCNearbyServiceAdvertiser: NSObject, @unchecked Sendable {
    /// Who is seen.
    public let myPeerID: MCPeerID
    /// What else others see, before they connect.
    public let discoveryInfo: [String: String]?
    /// What is advertised: an app's own.
    public let serviceType: String

    private let type: ServiceType
    private let surroundings: any Surroundings
    private let queue = DispatchQueue(label: "MCNearbyServiceAdvertiser")
    private let changing = Guarded(Changing())

    private struct Changing {
        weak var delegate: (any MCNearbyServiceAdvertiserDelegate)?
        var work: Task<Void, Never>?
    }

    /// - Parameters:
    ///   - myPeerID: made in this program, or archived by it
    ///   - info: up to about 400 bytes; everybody can read it
    ///   - serviceType: 1 to 15 lowercase letters, digits and single hyphens
    ///
    /// What breaks these rules ends the program, as it raises an exception on Apple's systems.
    public init(peer myPeerID: MCPeerID, discoveryInfo info: [String: String]?, serviceType: String) {
        type = ServiceKind.checked(serviceType, for: "MCNearbyServiceAdvertiser")
        let fault = info.flatMap(PeerRecord.fault)
        precondition(
            fault == nil,
            "Invalid discoveryInfo passed to MCNearbyServiceAdvertiser: \(fault ?? "")"
        )
        self.myPeerID = myPeerID
        discoveryInfo = info
        self.serviceType = serviceType
        surroundings = Neighbourhood.surroundings
        super.init()
    }

    deinit {
        changing.withLock { $0.work }?.cancel()
    }

    /// Who is told. It is not kept alive.
    public weak var delegate: (any MCNearbyServiceAdvertiserDelegate)? {
        get { changing.withLock { $0.delegate } }
        set { changing.withLock { $0.delegate = newValue } }
    }

    /// From now on others see this peer and can invite it.
    open func startAdvertisingPeer() {
        let (station, type, surroundings) = (myPeerID.ownStation, type, surroundings)
        let door = Station.Door(serviceType) { [weak self] peer, context, answer in
            guard let self else { return answer(nil) }
            self.ask(peer, context, answer)
        }
        changing.withLock { changing in
            guard changing.work == nil else { return }
            let me = WeakAdvertiser(advertiser: self)
            changing.work = Engine.begin {
                station.add(door)
                do {
                    let port = try await station.node().port
                    if let advertisement = try me.advertiser?.advertisement(type, port: port) {
                        await surroundings.advertise(advertisement) { me.advertiser?.tell($0) }
                    }
                } catch {
                    me.advertiser?.tell("\(error)")
                }
                station.remove(door)
            }
        }
    }

    private struct WeakAdvertiser {
        weak let advertiser: MCNearbyServiceAdvertiser?
    }

    private func advertisement(_ type: ServiceType, port: UInt16) throws -> Advertisement {
        let id = myPeerID.id
        return Advertisement(
            try (try? InstanceName(myPeerID.displayName)) ?? InstanceName(id.short),
            type: type,
            port: port,
            txt: try PeerRecord.record(id, myPeerID.displayName, discoveryInfo ?? [:]),
            interfaces: .standard
        )
    }

    /// Others see this peer no more. Sessions go on.
    open func stopAdvertisingPeer() {
        changing.withLock { changing in
            changing.work?.cancel()
            changing.work = nil
        }
    }

    /// From now on a peer's invitations come to nothing, without a word, and what there is with it ends. It lasts as long as this peer does: an archived one
    /// keeps it.
    public func block(_ peerID: MCPeerID) async throws {
        do {
            try await myPeerID.ownStation.block(peerID.id)
        } catch {
            throw MCError(of: error)
        }
    }

    private func ask(_ peer: MCPeerID, _ context: Data?, _ answer: Answer) {
        queue.async { [self] in
            guard let delegate else { return answer(nil) }
            delegate.advertiser(self, didReceiveInvitationFromPeer: peer, withContext: context) { isAccepted, session in
                answer(isAccepted ? session : nil)
            }
        }
    }

    private func tell(_ trouble: String) {
        queue.async { [self] in
            delegate?.advertiser(self, didNotStartAdvertisingPeer: MCError(.unavailable, trouble))
        }
    }
}
