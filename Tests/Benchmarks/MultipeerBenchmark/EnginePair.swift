import LinuxPlatform
import Session
import SessionRules
import Vocabulary
import Yardstick

/// Two nodes in one session of the engine.
@Engine
final class EnginePair {
    /// The threads of the programs at both ends.
    enum Programs: String {
        /// The engine's own thread, so that nothing passes between threads.
        case onTheEngine = "engine, programs on its thread"
        /// Swift's threads, as in an app with other work.
        case apart = "engine, programs on threads of their own"
    }

    private let near: Session
    private let target: String
    private let nodes: [Node]
    private let programs: Programs

    private init(_ near: Session, _ nodes: [Node], into target: String, _ programs: Programs) {
        (self.near, self.nodes, self.target, self.programs) = (near, nodes, target, programs)
    }

    static func make(in place: String, _ programs: Programs) async throws -> EnginePair {
        let folder = "\(place)/\(programs)"
        let (near, far) = (try await node("\(folder)-near"), try await node("\(folder)-far"))
        for (one, other) in [(near, far), (far, near)] {
            try await one.trust(other.id)
            try await one.setPolicy(.accept, for: other.id)
        }
        let session = near.session(SessionConfiguration(name: try Label("bench"), topology: .pair))
        try await near.invite(.address(HostAndPort("127.0.0.1:\(far.port)")), to: session)
        let pair = EnginePair(session, [near, far], into: "\(place)/received", programs)
        pair.begin { await pair.answer(at: far) }
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

    @discardableResult
    private nonisolated func begin<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        switch programs {
        case .onTheEngine:
            Task(executorPreference: EventLoop.shared.taskExecutor, operation: work)
        case .apart: Task.detached(operation: work)
        }
    }

    private nonisolated(nonsending) func answer(at far: Node) async {
        while let event = await far.events.next() {
            guard case .joined(let session, _) = event else { continue }
            while let event = await session.events.next() {
                switch event {
                case .message(let message):
                    if message.bytes.first == MultipeerBenchmark.uncounted { continue }
                    try? await session.send(message.bytes)
                case .resource(let resource): _ = try? await resource.accept(into: target)
                default: break
                }
            }
        }
    }

    nonisolated func roundTrips(_ count: Int) async throws -> [Double] {
        try await begin { try await self.rally(count) }.value
    }

    private nonisolated(nonsending) func rally(_ count: Int) async throws -> [Double] {
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

    /// The number of messages a second in one direction.
    nonisolated func rate(of count: Int) async throws -> Double {
        try await begin {
            let message = [UInt8](repeating: MultipeerBenchmark.uncounted, count: 64)
            let start = ContinuousClock.now
            for _ in 0..<count { try await self.near.send(message) }
            _ = try await self.rally(1)
            return Double(count) / seconds(.now - start)
        }.value
    }

    func send(_ path: String) async throws -> Double {
        let start = ContinuousClock.now
        for transfer in try await near.sendResource(at: path) { _ = try await transfer.finished() }
        return seconds(.now - start)
    }
}
