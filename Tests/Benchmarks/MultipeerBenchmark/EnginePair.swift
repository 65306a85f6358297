import LinuxPlatform
import Session
import SessionRules
import Vocabulary
import Yardstick

/// Two nodes in one session of the engine's.
@Engine
final class EnginePair {
    private let near: Session
    private let target: String
    private let nodes: [Node]

    private init(_ near: Session, _ nodes: [Node], into target: String) {
        (self.near, self.nodes, self.target) = (near, nodes, target)
    }

    static func make(in place: String) async throws -> EnginePair {
        let (near, far) = (try await node("\(place)/near"), try await node("\(place)/far"))
        for (one, other) in [(near, far), (far, near)] {
            try await one.trust(other.id)
            try await one.setPolicy(.accept, for: other.id)
        }
        let session = near.session(SessionConfiguration(name: try Label("bench"), topology: .pair))
        try await near.invite(.address(HostAndPort("127.0.0.1:\(far.port)")), to: session)
        let pair = EnginePair(session, [near, far], into: "\(place)/received")
        Task(executorPreference: EventLoop.shared.taskExecutor) { await pair.answer(at: far) }
        return pair
    }

    private static func node(_ folder: String) async throws -> Node {
        var configuration = NodeConfiguration(folder: folder, name: try InstanceName("bench"))
        configuration.advertises = false
        configuration.browses = false
        let node = try await Node.open(configuration)
        Task(executorPreference: EventLoop.shared.taskExecutor) { await node.run() }
        return node
    }

    private func answer(at far: Node) async {
        while let event = await far.events.next() {
            guard case .joined(let session, _) = event else { continue }
            while let event = await session.events.next() {
                switch event {
                case .message(let message): try? await session.send(message.bytes)
                case .resource(let resource): _ = try? await resource.accept(into: target)
                default: break
                }
            }
        }
    }

    func roundTrips(_ count: Int) async throws -> [Double] {
        let message = [UInt8](repeating: 7, count: 64)
        var times: [Double] = []
        while times.count < count {
            let start = ContinuousClock.now
            try await near.send(message)
            var isBack = false
            while !isBack, let event = await near.events.next() {
                if case .message = event { isBack = true }
            }
            times.append(seconds(.now - start) * 1e6)
        }
        return times
    }

    func send(_ path: String) async throws -> Double {
        let start = ContinuousClock.now
        for transfer in try await near.sendResource(at: path) { _ = try await transfer.finished() }
        return seconds(.now - start)
    }
}
