/// What a lab is to consist of.
public struct LabPlan: Sendable {
    /// The hosts' names, one each.
    public var hostNames: [String]

    /// Whether each host gets a system bus and Avahi.
    public var startsDaemons: Bool

    /// Hosts called `host1`, `host2`…
    public init(hosts count: Int = 3, startsDaemons: Bool = true) {
        self.init(hostNames: (1...max(count, 1)).map { "host\($0)" }, startsDaemons: startsDaemons)
    }

    /// Hosts with names of their own; two may share one, as machines on a real network may.
    public init(hostNames: [String], startsDaemons: Bool = true) {
        self.hostNames = hostNames
        self.startsDaemons = startsDaemons
    }
}
