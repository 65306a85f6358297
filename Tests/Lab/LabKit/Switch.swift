import LinuxPlatform

/// The network between the hosts: a bridge in namespaces of its own, with one port for each host's cable.
final class Switch: Sendable {
    let keeper: Keeper
    let privilege: Privilege

    init(keeper: Keeper, privilege: Privilege) {
        self.keeper = keeper
        self.privilege = privilege
    }

    static func start(_ privilege: Privilege) async throws -> Switch {
        let keeper = try await Keeper.start(
            "switch",
            script: Scripts.switchKeeper,
            words: KeeperWords.make(),
            joined: nil,
            created: privilege.created.union(.machine)
        )
        return Switch(keeper: keeper, privilege: privilege)
    }

    func plugIn(_ host: LabHost) async throws {
        try await performOutside(
            "plug in \(host.name)",
            Scripts.plugIn,
            ["\(host.number)", "\(host.keeper.identifier)"]
        )
    }

    /// Runs a script in the switch.
    func perform(_ step: String, _ script: String, _ words: [String]) async throws {
        let room = Room(keeper: keeper, privilege: privilege, name: "the switch")
        try await room.perform(step, script, words)
    }

    /// Runs a script in the switch's network, but in this machine's process namespace, in which the keepers' numbers
    /// count.
    func performOutside(_ step: String, _ script: String, _ words: [String]) async throws {
        let room = Room(keeper: keeper, privilege: privilege, name: "the switch", namespaces: .network)
        try await room.perform(step, script, words)
    }
}
