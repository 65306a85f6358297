// swift-format-ignore-file
// because this is code as it is written for iOS, and stays so

import Foundation
import MultipeerConnectivity

/// A handler in the style of storyboards: set up in steps, with notifications instead of delegates.
public class MPCHandler: NSObject, MCSessionDelegate {
    public static let didChangeState = Notification.Name("MPC_DidChangeStateNotification")
    public static let didReceiveData = Notification.Name("MPC_DidReceiveDataNotification")

    // because it is set up in steps
    public var peerID: MCPeerID!
    // because it is set up in steps
    public var session: MCSession!
    // because it is set up in steps
    public var browser: MCBrowserViewController!
    public var advertiser: MCAdvertiserAssistant? = nil

    public func setupPeerWithDisplayName(displayName: String) {
        peerID = MCPeerID(displayName: displayName)
    }

    public func setupSession() {
        session = MCSession(peer: peerID)
        session.delegate = self
    }

    public func setupBrowser() {
        browser = MCBrowserViewController(serviceType: "my-game", session: session)
        browser.minimumNumberOfPeers = 2
        browser.maximumNumberOfPeers = 2
    }

    public func advertiseSelf(advertise: Bool) {
        if advertise {
            advertiser = MCAdvertiserAssistant(serviceType: "my-game", discoveryInfo: nil, session: session)
            advertiser!.start()  // because it has just been set
        } else {
            advertiser?.stop()
            advertiser = nil
        }
    }

    public func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        let userInfo: [String: Any] = ["peerID": peerID, "state": state.rawValue]
        NotificationCenter.default.post(name: MPCHandler.didChangeState, object: self, userInfo: userInfo)
    }

    public func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        let userInfo: [String: Any] = ["data": data, "peerID": peerID]
        NotificationCenter.default.post(name: MPCHandler.didReceiveData, object: self, userInfo: userInfo)
    }

    public func session(
        _ session: MCSession,
        didFinishReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        at localURL: URL?,
        withError error: Error?
    ) {}

    public func session(
        _ session: MCSession,
        didStartReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        with progress: Progress
    ) {}

    public func session(
        _ session: MCSession,
        didReceive stream: InputStream,
        withName streamName: String,
        fromPeer peerID: MCPeerID
    ) {}
}

extension MPCHandler: MCBrowserViewControllerDelegate {
    public func browserViewControllerDidFinish(_ browserViewController: MCBrowserViewController) {
        browserViewController.dismiss(animated: true, completion: nil)
        browserViewController.delegate = nil
    }

    public func browserViewControllerWasCancelled(_ browserViewController: MCBrowserViewController) {
        browserViewController.dismiss(animated: true)
        browserViewController.delegate = nil
    }
}
