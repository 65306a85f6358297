extension LabHost {
    /// Pulls the host's cable: its `eth0` loses the carrier, as the host's own programs can see.
    public func cutCable() async throws {
        try await network.perform("cut the cable of \(name)", Scripts.setCable, ["\(number)", "down"])
    }

    /// Puts the cable back.
    public func mendCable() async throws {
        try await network.perform("mend the cable of \(name)", Scripts.setCable, ["\(number)", "up"])
    }

    /// Lets no frame pass any more while the carrier stays, so that the host itself sees nothing wrong.
    public func isolate() async throws {
        try await network.perform("isolate \(name)", Scripts.isolate, ["\(number)"])
    }

    /// Lets frames pass again.
    public func rejoin() async throws {
        try await network.perform("rejoin \(name)", Scripts.rejoin, ["\(number)"])
    }

    /// Lets no multicast reach the host any more, while all else passes.
    public func dropMulticast() async throws {
        try await network.perform("keep multicast from \(name)", Scripts.setMulticast, ["\(number)", "off"])
    }

    /// Lets multicast reach the host again.
    public func passMulticast() async throws {
        try await network.perform("let multicast reach \(name)", Scripts.setMulticast, ["\(number)", "on"])
    }

    /// Gives the host another interface that is up but leads nowhere, as `docker0` is on many machines.
    ///
    /// - Parameters:
    ///   - interface: its name
    ///   - addresses: with their prefixes, such as `172.17.0.1/16`
    public func addInterface(_ interface: String, addresses: [String]) async throws {
        try await perform("add \(interface)", Scripts.addUnpluggedInterface, [interface] + addresses)
    }

    /// Gives the host another interface with a cable to a second network, where other hosts may be plugged in too.
    ///
    /// - Parameters:
    ///   - interface: its name, such as `eth1`
    ///   - other: the network's name; it comes to be with its first cable
    ///   - addresses: with their prefixes, such as `10.78.0.1/24`
    public func addInterface(_ interface: String, toNetwork other: String, addresses: [String]) async throws {
        let words = ["net-\(other)", "x\(number)-\(interface)", interface, "\(keeper.identifier)"]
        try await network.performOutside("lay a cable to \(interface) of \(name)", Scripts.plugInExtra, words)
        try await perform("set up \(interface)", Scripts.configureExtra, [interface] + addresses)
    }

    /// Takes an interface away again.
    public func removeInterface(_ interface: String) async throws {
        try await perform("remove \(interface)", Scripts.removeInterface, [interface])
    }
}
