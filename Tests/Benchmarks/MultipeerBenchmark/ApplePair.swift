import Foundation
import LinuxPlatform
import MultipeerConnectivity
import Synchronization
import Yardstick

/// Two peers in one session of MultipeerConnectivity, with delegates as in apps.
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

    /// Sends each message in the delegate, as soon as it gets the answer to the one before.
    func roundTrips(_ count: Int) async throws -> [Double] {
        let rally = Rally(count, Data(repeating: 7, count: 64))
        near.play(rally)
        rally.serve(near.session, to: far.session.myPeerID)
        return try await rally.times.value()
    }

    /// The number of messages a second in one direction.
    func rate(of count: Int) async throws -> Double {
        let (message, peer) = (Data(repeating: MultipeerBenchmark.uncounted, count: 64), far.session.myPeerID)
        let rally = Rally(1, Data(repeating: 7, count: 64))
        near.play(rally)
        let start = ContinuousClock.now
        for _ in 0..<count { try near.session.send(message, toPeers: [peer], with: .reliable) }
        rally.serve(near.session, to: peer)
        _ = try await rally.times.value()
        return Double(count) / seconds(.now - start)
    }

    func send(_ path: String) async throws -> Double {
        let start = ContinuousClock.now
        let url = URL(fileURLWithPath: path)
        try await near.session.sendResource(at: url, withName: "large.bin", to: far.session.myPeerID)
        return seconds(.now - start)
    }

    /// `@unchecked Sendable` because a lock guards its variables.
    private final class App: NSObject, MCSessionDelegate, @unchecked Sendable {
        let session: MCSession
        let connected = Resumption<Void>()
        private let answers: Bool
        private let rally = Mutex<Rally?>(nil)

        init(_ name: String, answers: Bool) {
            session = MCSession(peer: MCPeerID(displayName: name))
            self.answers = answers
            super.init()
            session.delegate = self
        }

        func play(_ rally: Rally) {
            self.rally.withLock { $0 = rally }
        }

        func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
            if state == .connected { connected.resume(with: .success(())) }
        }

        func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
            if data.first == MultipeerBenchmark.uncounted { return }
            // The other side waits for an answer, which a peer that has left does not send.
            if answers { return _ = try? session.send(data, toPeers: [peerID], with: .reliable) }
            rally.withLock { $0 }?.cameBack(to: session, from: peerID)
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

    /// One message that goes to the other side and back again and again.
    private final class Rally: Sendable {
        let times = Resumption<[Double]>()
        private let message: Data
        private let count: Int
        private let state = Mutex(State())

        private struct State {
            var start = ContinuousClock.now
            var times: [Double] = []
        }

        init(_ count: Int, _ message: Data) {
            (self.count, self.message) = (count, message)
        }

        func serve(_ session: MCSession, to peer: MCPeerID) {
            state.withLock { $0.start = .now }
            try? session.send(message, toPeers: [peer], with: .reliable)
        }

        func cameBack(to session: MCSession, from peer: MCPeerID) {
            let taken = state.withLock { state in
                state.times.append(seconds(.now - state.start) * 1e6)
                return state.times
            }
            guard taken.count == count else { return serve(session, to: peer) }
            times.resume(with: .success(taken))
        }
    }
}
