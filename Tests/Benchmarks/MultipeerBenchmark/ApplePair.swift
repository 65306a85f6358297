import Foundation
import LinuxPlatform
import MultipeerConnectivity
import Synchronization
import Yardstick

/// Two peers in one session of Apple's kind, with delegates as apps have them.
final class ApplePair: Sendable {
    private let near: App
    private let far: App

    private init(_ near: App, _ far: App) {
        (self.near, self.far) = (near, far)
    }

    static func make() async throws -> ApplePair {
        let (near, far) = (App("near", answers: false), App("far", answers: true))
        let nearData = try await near.session.nearbyConnectionData(forPeer: far.session.myPeerID)
        let farData = try await far.session.nearbyConnectionData(forPeer: near.session.myPeerID)
        near.session.connectPeer(far.session.myPeerID, withNearbyConnectionData: farData)
        far.session.connectPeer(near.session.myPeerID, withNearbyConnectionData: nearData)
        for app in [near, far] { try await app.connected.value() }
        return ApplePair(near, far)
    }

    func roundTrips(_ count: Int) async -> [Double] {
        let message = Data(repeating: 7, count: 64)
        var times: [Double] = []
        while times.count < count {
            let start = ContinuousClock.now
            let answer = near.nextMessage()
            try? near.session.send(message, toPeers: [far.session.myPeerID], with: .reliable)
            try? await answer.value()
            times.append(seconds(.now - start) * 1e6)
        }
        return times
    }

    func send(_ path: String) async throws -> Double {
        let start = ContinuousClock.now
        let url = URL(fileURLWithPath: path)
        try await near.session.sendResource(at: url, withName: "large.bin", to: far.session.myPeerID)
        return seconds(.now - start)
    }

    /// `@unchecked Sendable` because what changes in it is behind a lock.
    private final class App: NSObject, MCSessionDelegate, @unchecked Sendable {
        let session: MCSession
        let connected = Resumption<Void>()
        private let answers: Bool
        private let waiting = Mutex<Resumption<Void>?>(nil)

        init(_ name: String, answers: Bool) {
            session = MCSession(peer: MCPeerID(displayName: name))
            self.answers = answers
            super.init()
            session.delegate = self
        }

        func nextMessage() -> Resumption<Void> {
            let next = Resumption<Void>()
            waiting.withLock { $0 = next }
            return next
        }

        func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
            if state == .connected { connected.resume(with: .success(())) }
        }

        func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
            // Who is gone is missed by the other side, which waits for the answer.
            if answers { return _ = try? session.send(data, toPeers: [peerID], with: .reliable) }
            waiting.withLock { $0 }?.resume(with: .success(()))
        }

        func session(_: MCSession, didReceive _: InputStream, withName _: String, fromPeer _: MCPeerID) {}

        func session(
            _: MCSession,
            didStartReceivingResourceWithName _: String,
            fromPeer _: MCPeerID,
            with _: Progress
        ) {}

        func session(
            _: MCSession,
            didFinishReceivingResourceWithName _: String,
            fromPeer _: MCPeerID,
            at _: URL?,
            withError _: (any Error)?
        ) {}
    }
}
