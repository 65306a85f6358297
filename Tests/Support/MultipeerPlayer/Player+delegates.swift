import MultipeerConnectivity

extension Player: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser,
        didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
        learn(peerID)
        say("invited", peerID.displayName, context.map { String(decoding: $0, as: UTF8.self) } ?? "")
        take(invitationHandler, of: peerID)
    }

    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
        say("troubled advertising")
    }

    func browser(
        _ browser: MCNearbyServiceBrowser,
        foundPeer peerID: MCPeerID,
        withDiscoveryInfo info: [String: String]?
    ) {
        recognise(peerID)
        say("found", peerID.displayName, info.map { "\($0)" } ?? "")
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
        say("lost", peerID.displayName)
    }

    func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
        say("troubled browsing")
    }
}

extension Player: MCSessionDelegate {
    func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        learn(peerID)
        let words = [MCSessionState.notConnected: "not connected", .connecting: "connecting", .connected: "connected"]
        calls.during { say("is", peerID.displayName, words[state] ?? "?") }
    }

    func session(
        _ session: MCSession,
        peer peerID: MCPeerID,
        didChange state: MCSessionState,
        because reason: MCPartingReason?
    ) {
        if let reason { say("why", peerID.displayName, "\(reason)") }
    }

    func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
        calls.during {
            work()
            say(
                "heard",
                peerID.displayName,
                data.count < 100 ? String(decoding: data, as: UTF8.self) : "\(data.count) bytes"
            )
        }
    }

    func session(
        _ session: MCSession,
        didReceive stream: InputStream,
        withName streamName: String,
        fromPeer peerID: MCPeerID
    ) {
        calls.during { say("stream", peerID.displayName, streamName) }
        let done: @Sendable (Int) -> Void = { [weak self] count in self?.say("streamed", streamName, "\(count)") }
        if streamName == "blocking" {
            StreamRunner.readBlocking(stream, done: done)
        } else {
            StreamRunner.read(stream, done: done)
        }
    }

    func session(
        _ session: MCSession,
        didStartReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        with progress: Progress
    ) {
        calls.during { say("coming", peerID.displayName, resourceName, "\(progress.totalUnitCount)") }
        if resourceName == "unwanted" { progress.cancel() }
    }

    func session(
        _ session: MCSession,
        didFinishReceivingResourceWithName resourceName: String,
        fromPeer peerID: MCPeerID,
        at localURL: URL?,
        withError error: (any Error)?
    ) {
        guard let localURL else {
            return say("failed", resourceName, "\((error as? MCError)?.code ?? .unknown)")
        }
        let count = (try? Data(contentsOf: localURL))?.count ?? -1
        say("file", peerID.displayName, resourceName, localURL.lastPathComponent, "\(count)")
        // The app moves a file that it wants before this returns. Any other file is deleted soon after.
        let kept = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("kept-\(UUID().uuidString)")
        guard resourceName == "wanted" else { return }
        let isMoved = (try? FileManager.default.moveItem(at: localURL, to: kept)) != nil
        say("moved", "\(isMoved)")
        try? FileManager.default.removeItem(at: kept)
    }

    func session(
        _ session: MCSession,
        didReceiveCertificate certificate: [Any]?,
        fromPeer peerID: MCPeerID,
        certificateHandler: @escaping (Bool) -> Void
    ) {
        say("certificate", peerID.displayName, certificate == nil ? "none" : "shown")
        certificateHandler(judges)
    }
}
