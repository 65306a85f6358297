import Ledger
import LinuxPlatform
import Session
import SessionRules
import TestSupport
import Vocabulary

@testable import Household

/// A machine with a household, on the loopback.
@Engine
final class Home {
    let node: Node
    let household: Household
    let folder = TemporaryFolder()
    private var running: Task<Void, Never>?
    private var living: Task<Void, Never>?
    /// True until the household has ended.
    private(set) var isLiving = false

    /// - Parameter reserved: the names in its folder that no inbox may have
    init(_ name: String, reserving reserved: [String] = []) async throws {
        var configuration = NodeConfiguration(folder: folder.path(of: "state"), name: try InstanceName(name))
        configuration.address = .v4(127, 0, 0, 1)
        configuration.advertises = false
        configuration.browses = false
        // Transfers may take long on a busy machine, and end by themselves.
        configuration.patience.shutdown = .init(drain: .seconds(60))
        node = try await Node.open(configuration)
        let places = reserved.map { [folder] in ReservedPlace(folder.path(of: $0), .home, .itself) }
        household = Household(node, into: try InboxFolder(folder.path(of: "inbox"), besides: places))
    }

    func run() {
        runNode()
        isLiving = true
        living = Task(executorPreference: EventLoop.shared.taskExecutor) { await self.live() }
    }

    /// Runs the node without a household that takes what arrives.
    func runNode() {
        let node = node
        running = Task(executorPreference: EventLoop.shared.taskExecutor) { await node.run() }
    }

    private func live() async {
        _ = try? await household.run()
        isLiving = false
    }

    func end() async {
        await endHousehold()
        running?.cancel()
        await running?.value
    }

    /// Does the first half of the end.
    func endHousehold() async {
        living?.cancel()
        await living?.value
    }

    /// Pairs with another machine, which needs no further question.
    func knows(_ other: Home) async throws {
        try await node.trust(other.node.id, named: other.node.configuration.name)
        try await node.setPolicy(.accept, for: other.node.id)
    }

    var address: HostAndPort {
        get throws { try HostAndPort("127.0.0.1:\(node.port)") }
    }
}

extension InboxRecords {
    /// All items, the newest first.
    func all() async throws -> [InboxItem] {
        var items: [InboxItem] = []
        for number in try await numbers().reversed() {
            if let item = try await item(number) { items.append(item) }
        }
        return items
    }
}
