import LinuxPlatform
import Synchronization

/// The start of a lab's hosts, all at the same time.
final class Construction: Sendable {
    private let network: Switch
    private let plan: LabPlan
    /// The parts to remove again if a step fails.
    private let keepers = Mutex<[Keeper]>([])

    init(network: Switch, plan: LabPlan) {
        self.network = network
        self.plan = plan
    }

    func build() async throws -> [LabHost] {
        try await withThrowingTaskGroup(of: LabHost.self) { group in
            for (index, name) in plan.hostNames.enumerated() {
                group.addTask { try await self.build(number: index + 1, name: name) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.number < $1.number }
        }
    }

    func abandon() async {
        for keeper in keepers.withLock({ $0 }) { await keeper.end() }
        await network.keeper.end()
    }

    private func build(number: Int, name: String) async throws -> LabHost {
        let isRootless = network.privilege == .userNamespace
        let keeper = try await Keeper.start(
            name,
            script: Scripts.hostKeeper,
            words: KeeperWords.make(
                busConfiguration: DaemonConfiguration.bus(listeningAt: LabHost.busAddress),
                avahiUser: isRootless ? (0, 0) : nil
            ),
            joined: isRootless ? network.keeper : nil,
            created: .machine
        )
        keepers.withLock { $0.append(keeper) }
        let host = LabHost(number: number, name: name, keeper: keeper, network: network)
        try await network.plugIn(host)
        try await host.perform("set up its network", Scripts.configureNetwork, ["\(number)"])
        if plan.startsDaemons {
            try await host.startBus()
            try await host.startAvahi()
        }
        return host
    }
}
