import LinuxPlatform
public import Vocabulary

/// Looks for peers on the local network and keeps a list of them.
///
/// ```swift
/// let browser = Browser(for: .huddle)
/// async let browsing: Void = browser.run()
/// for await event in await browser.events() { print(event) }
/// ```
///
/// Nothing that happens to Avahi, the bus or the network ends it: it says so in a notice and goes on by itself.
public final class Browser: Sendable {
    /// How a browser looks.
    public struct Configuration: Sendable {
        /// On which interfaces.
        public var interfaces: InterfaceChoice
        /// How often to ask each peer whether it is there, by opening a connection and closing it at once; nil to rely on
        /// what the network says by itself, which can take Avahi two minutes, and costs nothing while idle.
        public var probing: Duration?
        /// How long a peer may be unreachable before it is lost.
        public var lostAfter: Duration
        /// This program's own advertisement is left out of the list.
        public var ignoring: Advertiser?
        /// So is what another program of this machine advertises, which is known by this machine's key.
        public var ignoringID: PeerID?
        /// How many questions to Avahi stay open. Each is a thread and one of a user's 256 D-Bus connections.
        public var maximumLookups: Int
        /// How many services are followed at the most. Of more the first half stays, and the newest take the places of the others.
        public var maximumPeers: Int

        /// Usual values for everything.
        public init(
            interfaces: InterfaceChoice = .standard,
            probing: Duration? = nil,
            lostAfter: Duration = .seconds(120),
            ignoring: Advertiser? = nil,
            ignoringID: PeerID? = nil,
            maximumLookups: Int = 64,
            maximumPeers: Int = 256
        ) {
            self.interfaces = interfaces
            self.probing = probing
            self.lostAfter = lostAfter
            self.ignoring = ignoring
            self.ignoringID = ignoringID
            self.maximumLookups = maximumLookups
            self.maximumPeers = maximumPeers
        }
    }

    private let engine: BrowseEngine

    /// - Parameters:
    ///   - type: what to look for
    ///   - configuration: how to look
    public convenience init(for type: ServiceType, configuration: Configuration = Configuration()) {
        self.init(for: type, configuration: configuration, directory: AvahiDirectory.system)
    }

    init(for type: ServiceType, configuration: Configuration, directory: any ServiceDirectory) {
        engine = BrowseEngine(type, configuration, directory)
    }

    /// Looks until the task is cancelled.
    public func run() async {
        await engine.run()
    }

    /// The events for one more reader; it is told of the peers that are in the list already.
    public func events() async -> DiscoveryEvents {
        await engine.addReader()
    }

    /// The peers in the list.
    public func peers() async -> [FoundPeer] {
        await engine.listedPeers
    }

    /// Adds a peer by its address. It is in the list as soon as it is known whether it answers.
    public func add(_ address: HostAndPort) async {
        await engine.add(address)
    }

    /// Takes back a peer that was added by its address.
    public func remove(_ address: HostAndPort) async {
        await engine.remove(address)
    }

    /// Says under which names paired machines were seen last. In a crowd they come before strangers, and none gives way to one.
    public func know(_ names: Set<InstanceName>) async {
        await engine.know(names)
    }

    /// Asks every peer soon whether it is there.
    public func probe() async {
        await engine.probeAllSoon()
    }

    /// Asks every peer now whether it is there, known ones first, and comes back when each has answered or been given up, at the latest after
    /// three seconds.
    public func probed() async {
        await engine.probeAll()
    }
}
