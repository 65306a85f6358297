import LinuxPlatform
import MultipeerConnectivity
import Yardstick

/// Two peers in one session of MultipeerConnectivity, each an async program on Swift's threads like
/// ``EnginePair/Programs/apart``.
final class AsyncPair: Sendable {
    private let (near, far): (MCSession, MCSession)
    private let events: MCSessionEvents

    private init(_ near: MCSession, _ far: MCSession, _ events: MCSessionEvents) {
        (self.near, self.far, self.events) = (near, far, events)
    }

    static func make() async throws -> AsyncPair {
        let (near, far) = (
            MCSession(peer: MCPeerID(displayName: "near")), MCSession(peer: MCPeerID(displayName: "far"))
        )
        let (here, there) = (near.events, far.events)
        let nearData = try await near.nearbyConnectionData(forPeer: far.myPeerID)
        let farData = try await far.nearbyConnectionData(forPeer: near.myPeerID)
        near.connectPeer(far.myPeerID, withNearbyConnectionData: farData)
        far.connectPeer(near.myPeerID, withNearbyConnectionData: nearData)
        for events in [here, there] {
            for await event in events { if case .peer(_, .connected, _) = event { break } }
        }
        Task.detached {
            for await event in there {
                guard case .data(let data, let peer) = event, data.first != MultipeerBenchmark.uncounted else {
                    continue
                }
                try? await far.send(data, to: [peer])
            }
        }
        return AsyncPair(near, far, here)
    }

    func roundTrips(_ count: Int) async throws -> [Double] {
        try await Task.detached { try await self.rally(count) }.value
    }

    private nonisolated(nonsending) func rally(_ count: Int) async throws -> [Double] {
        let message = Data(repeating: 7, count: 64)
        var times: [Double] = []
        while times.count < count {
            let start = ContinuousClock.now
            try await near.send(message)
            for await event in events { if case .data = event { break } }
            times.append(seconds(.now - start) * 1e6)
        }
        return times
    }

    /// The number of messages a second in one direction.
    func rate(of count: Int) async throws -> Double {
        try await Task.detached {
            let message = Data(repeating: MultipeerBenchmark.uncounted, count: 64)
            let start = ContinuousClock.now
            for _ in 0..<count { try await self.near.send(message) }
            _ = try await self.rally(1)
            return Double(count) / seconds(.now - start)
        }.value
    }
}
