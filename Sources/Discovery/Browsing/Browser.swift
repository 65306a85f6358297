import LinuxPlatform
public import Vocabulary

/// Browses peers on the local network and keeps a list of them.
///
/// ```swift
/// let browser = Browser(for: .huddle)
/// async let browsing: Void = browser.run()
/// for await event in await browser.events() { print(event) }
/// ```
///
/// No failure of Avahi, the bus or the network ends it: it reports a notice and continues when it can.
public final class Browser: Sendable {
    /// Options of a browser.
    public struct Configuration: Sendable {
        /// Network interfaces to browse on.
        public var interfaces: InterfaceChoice
        /// Interval of probes of each peer, which open a connection and close it at once. With nil, the browser relies
        /// on mDNS alone: that costs nothing while idle, but a dead peer can go unnoticed for two minutes.
        public var probing: Duration?
        /// Time for which a peer may be unreachable before it is lost.
        public var lostAfter: Duration
        /// An advertiser of this program, which the list omits.
        public var ignoring: Advertiser?
        /// The key of this machine: the list omits advertisements of its other programs.
        public var ignoringID: PeerID?
        /// Maximum number of open lookups. Each costs a thread and one of a user's 256 D-Bus connections.
        public var maximumLookups: Int
        /// Maximum number of followed services. Beyond it, the oldest half stays, and the newest replace the others.
        public var maximumPeers: Int

        /// Options with default values.
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
    ///   - type: type of the services
    ///   - configuration: options of the browser
    public convenience init(for type: ServiceType, configuration: Configuration = Configuration()) {
        self.init(for: type, configuration: configuration, directory: AvahiDirectory.system)
    }

    init(for type: ServiceType, configuration: Configuration, directory: any ServiceDirectory) {
        engine = BrowseEngine(type, configuration, directory)
    }

    /// Browses until the task is cancelled.
    public func run() async {
        await engine.run()
    }

    /// The events for one more reader; the first events report the listed peers.
    public func events() async -> DiscoveryEvents {
        await engine.addReader()
    }

    /// The listed peers.
    public func peers() async -> [FoundPeer] {
        await engine.listedPeers
    }

    /// Adds a peer by its address. It is listed as soon as a probe has ended.
    public func add(_ address: HostAndPort) async {
        await engine.add(address)
    }

    /// Removes a peer that was added by its address.
    public func remove(_ address: HostAndPort) async {
        await engine.remove(address)
    }

    /// Sets the names under which paired machines were seen last. In a crowd they come before strangers, and no
    /// stranger replaces one.
    public func know(_ names: Set<InstanceName>) async {
        await engine.know(names)
    }

    /// Requests a probe of every peer.
    public func probe() async {
        await engine.probeAllSoon()
    }

    /// Probes every peer, known ones first, and returns when all probes have ended, after at most three seconds.
    public func probed() async {
        await engine.probeAll()
    }
}
