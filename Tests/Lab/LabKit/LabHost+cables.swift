extension LabHost {
    /// Pulls the host's cable. Its `eth0` loses the carrier, which the host's programs can see.
    public func cutCable() async throws {
        try await network.perform("cut the cable of \(name)", Scripts.setCable, ["\(number)", "down"])
    }

    /// Plugs the cable in again.
    public func plugCable() async throws {
        try await network.perform("plug the cable of \(name)", Scripts.setCable, ["\(number)", "up"])
    }

    /// Drops all frames while the carrier stays, so that the host itself sees no fault.
    public func isolate() async throws {
        try await network.perform("isolate \(name)", Scripts.isolate, ["\(number)"])
    }

    /// Lets frames pass again.
    public func rejoin() async throws {
        try await network.perform("rejoin \(name)", Scripts.rejoin, ["\(number)"])
    }

    /// Drops multicast to the host, while all other frames pass.
    public func dropMulticast() async throws {
        try await network.perform("keep multicast from \(name)", Scripts.setMulticast, ["\(number)", "off"])
    }

    /// Lets multicast reach the host again.
    public func passMulticast() async throws {
        try await network.perform("let multicast reach \(name)", Scripts.setMulticast, ["\(number)", "on"])
    }

    /// Adds an interface that is up but has no network, like `docker0` on many machines.
    ///
    /// - Parameters:
    ///   - interface: its name
    ///   - addresses: its addresses with prefixes, such as `172.17.0.1/16`
    public func addInterface(_ interface: String, addresses: [String]) async throws {
        try await perform("add \(interface)", Scripts.addUnpluggedInterface, [interface] + addresses)
    }

    /// Adds an interface with a cable to a second network, to which other hosts may have cables, too.
    ///
    /// - Parameters:
    ///   - interface: its name, such as `eth1`
    ///   - other: the name of the network, which is made with its first cable
    ///   - addresses: its addresses with prefixes, such as `10.78.0.1/24`
    public func addInterface(_ interface: String, toNetwork other: String, addresses: [String]) async throws {
        let words = ["net-\(other)", "x\(number)-\(interface)", interface, "\(keeper.identifier)"]
        try await network.performOutside("lay a cable to \(interface) of \(name)", Scripts.plugInExtra, words)
        try await perform("set up \(interface)", Scripts.configureExtra, [interface] + addresses)
    }

    /// Removes an interface.
    public func removeInterface(_ interface: String) async throws {
        try await perform("remove \(interface)", Scripts.removeInterface, [interface])
    }
}
