// swift-format-ignore-file
// because this is code as it is written for iOS, and stays so

import Foundation
import MultipeerConnectivity

// Two players. The hashes of both decide which one invites, as Apple advises (Technical Q&A 1869), and name the
// players.

public struct Blow: Codable, Equatable, Sendable {
    public let player: Int
    public let strength: Int

    public init(player: Int, strength: Int) {
        self.player = player
        self.strength = strength
    }
}

public class DuelService: NSObject {
    public static let serviceType = "duel"

    public let me: MCPeerID
    public let session: MCSession
    public var onConnected: ((MCPeerID) -> Void)?
    public var onBlow: ((Blow, MCPeerID) -> Void)?
    public private(set) var invitations = 0
    public private(set) var opponent: MCPeerID?
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser

    public init(name: String) {
        me = MCPeerID(displayName: name)
        session = MCSession(peer: me)
        advertiser = MCNearbyServiceAdvertiser(peer: me, discoveryInfo: nil, serviceType: DuelService.serviceType)
        browser = MCNearbyServiceBrowser(peer: me, serviceType: DuelService.serviceType)
        super.init()
        session.delegate = self
        advertiser.delegate = self
        browser.delegate = self
    }

    public func start() {
        advertiser.startAdvertisingPeer()
        browser.startBrowsingForPeers()
    }

    // Only NSError is caught, since every error is one on Apple's systems.
    public func strike(_ strength: Int, at peer: MCPeerID) -> Int {
        do {
            let data = try JSONEncoder().encode(Blow(player: me.hash, strength: strength))
            try session.send(data, toPeers: [peer], with: .reliable)
            return 0
        } catch let error as NSError {
            return error.domain == MCErrorDomain ? error.code : -1
        }
    }

    // Any bytes of a peer are read or lead to an NSError.
    public func read(_ data: Data) -> NSError? {
        do {
            _ = try JSONDecoder().decode(Blow.self, from: data)
            return nil
        } catch let error as NSError {
            return error
        }
    }

    public func readSafely(_ data: Data) -> NSError? {
        do {
            _ = try MCObjects.decode(Blow.self, from: data)
            return nil
        } catch let error as NSError {
            return error
        }
    }

    public func write(_ number: Double) -> NSError? {
        do {
            _ = try JSONEncoder().encode([number])
            return nil
        } catch let error as NSError {
            return error
        }
    }

    public func whyNot(_ error: Error) -> MCError.Code? {
        guard let error = error as? MCError else { return nil }
        return error.code
    }

    public func isLonely(_ error: Error) -> Bool {
        do {
            throw error
        } catch MCError.notConnected {
            return true
        } catch {
            return false
        }
    }
}

extension DuelService: MCNearbyServiceBrowserDelegate {
    public func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?) {
        guard me.hash > peerID.hash else { return }
        invitations += 1
        browser.invitePeer(peerID, to: session, withContext: nil, timeout: 15)
    }

    public func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
}

extension DuelService: MCNearbyServiceAdvertiserDelegate {
    public func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void) {
        invitationHandler(peerID.hash > me.hash, session)
    }
}

extension DuelService: MCSessionDelegate {
    public func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        guard state == .connected else { return }
        opponent = peerID
        onConnected?(peerID)
    }

    public func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        guard let blow = try? JSONDecoder().decode(Blow.self, from: data) else { return }
        onBlow?(blow, peerID)
    }

    public func session(_ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID) {}
    public func session(_ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, with progress: Progress) {}
    public func session(_ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, at localURL: URL?, withError error: Error?) {}
}
