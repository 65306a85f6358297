/// The plan of a lab.
public struct LabPlan: Sendable {
    /// The hosts' names, one each.
    public var hostNames: [String]

    /// True if each host gets a system bus and Avahi.
    public var startsDaemons: Bool

    /// A plan with hosts named `host1`, `host2`…
    public init(hosts count: Int = 3, startsDaemons: Bool = true) {
        self.init(hostNames: (1...max(count, 1)).map { "host\($0)" }, startsDaemons: startsDaemons)
    }

    /// A plan with given names. Two hosts may have the same name, as on a real network.
    public init(hostNames: [String], startsDaemons: Bool = true) {
        self.hostNames = hostNames
        self.startsDaemons = startsDaemons
    }
}
