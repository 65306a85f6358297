import LinuxPlatform
public import Vocabulary

/// Advertises a service on the local network while ``run()`` runs.
///
/// After a restart of Avahi, a loss of the bus or a new interface, it advertises again and reports it.
public final class Advertiser: Sendable {
    /// An event of an advertiser.
    public enum Event: Hashable, Sendable {
        /// The service is advertised under this name.
        case advertised(InstanceName)
        /// Another service has the wanted name, so this service has another one.
        case renamed(from: InstanceName, to: InstanceName)
        /// The service can't be seen now; it is advertised again when Avahi runs.
        case withdrawn(AvahiAbsence)
        /// No interface is available on which the service may be advertised.
        case noInterface
    }

    let runToken: RunToken
    private let port: UInt16
    private let engine: AdvertiseEngine

    /// - Parameter advertisement: the data to advertise
    /// - Throws: if the TXT record has no room for the run token
    public convenience init(_ advertisement: Advertisement) throws(InvalidTXT) {
        try self.init(advertisement, directory: AvahiDirectory.system)
    }

    init(
        _ advertisement: Advertisement,
        directory: any ServiceDirectory,
        timeout: RegistrationTimeout = RegistrationTimeout()
    ) throws(InvalidTXT) {
        runToken = .random()
        port = advertisement.port
        engine = AdvertiseEngine(try Self.marked(advertisement, runToken), directory, timeout: timeout)
    }

    /// Advertises until the task is cancelled; then the service says goodbye.
    public func run() async {
        await engine.run()
    }

    /// The events for one reader. A slow reader gets the latest ones.
    public func events() async -> DroppingBuffer<Event> {
        await engine.addReader()
    }

    /// Replaces the TXT record while the service is advertised.
    public func update(_ txt: TXTRecord) async throws {
        await engine.update(try runToken.mark(txt, port: port))
    }

    private static func marked(_ advertisement: Advertisement, _ run: RunToken) throws(InvalidTXT) -> Advertisement {
        var marked = advertisement
        marked.txt = try run.mark(advertisement.txt, port: advertisement.port)
        return marked
    }
}
