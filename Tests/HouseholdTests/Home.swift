import Ledger
import LinuxPlatform
import Session
import TestSupport
import Vocabulary

@testable import Household

/// A machine with a household, on the loopback.
@Engine
final class Home {
    let node: Node
    let household: Household
    let folder = TemporaryFolder()
    private var tasks: [Task<Void, Never>] = []

    init(_ name: String) async throws {
        var configuration = NodeConfiguration(folder: folder.path(of: "state"), name: try InstanceName(name))
        configuration.address = .v4(127, 0, 0, 1)
        configuration.advertises = false
        configuration.browses = false
        node = try await Node.open(configuration)
        household = Household(node, into: try InboxFolder(folder.path(of: "inbox")))
    }

    func run() {
        let (node, household) = (node, household)
        tasks.append(Task(executorPreference: EventLoop.shared.taskExecutor) { await node.run() })
        tasks.append(Task(executorPreference: EventLoop.shared.taskExecutor) { _ = try? await household.run() })
    }

    func end() async {
        for task in tasks.reversed() { task.cancel() }
        for task in tasks { await task.value }
    }

    /// As if both had met before: the other comes in without a question.
    func knows(_ other: Home) async throws {
        try await node.trust(other.node.id, named: other.node.configuration.name)
        try await node.setPolicy(.accept, for: other.node.id)
    }

    var address: HostAndPort {
        get throws { try HostAndPort("127.0.0.1:\(node.port)") }
    }
}
