import LinuxPlatform
public import Vocabulary

/// Makes a service known on the local network, for as long as ``run()`` runs.
///
/// When Avahi restarts, the bus goes or an interface comes, it advertises anew by itself and says so.
public final class Advertiser: Sendable {
    /// What an advertiser has to tell.
    public enum Event: Hashable, Sendable {
        /// The service is advertised under this name.
        case advertised(InstanceName)
        /// Somebody on the network had the wanted name, so that the service goes by another.
        case renamed(from: InstanceName, to: InstanceName)
        /// The service can't be seen by anybody now; it will be when Avahi is there.
        case withdrawn(AvahiAbsence)
        /// No interface is there on which it may be advertised.
        case noInterface
    }

    let runToken: RunToken
    private let port: UInt16
    private let engine: AdvertiseEngine

    /// - Parameter advertisement: what to say
    /// - Throws: where its TXT record has no room for the word by which this program knows itself
    public convenience init(_ advertisement: Advertisement) throws(InvalidTXT) {
        try self.init(advertisement, directory: AvahiDirectory.system)
    }

    init(
        _ advertisement: Advertisement,
        directory: any ServiceDirectory,
        patience: Patience = Patience()
    ) throws(InvalidTXT) {
        runToken = .random()
        port = advertisement.port
        engine = AdvertiseEngine(try Self.marked(advertisement, runToken), directory, patience: patience)
    }

    /// Advertises until the task is cancelled; then the service says goodbye.
    public func run() async {
        await engine.run()
    }

    /// What happens, for one reader. A slow one is told of the latest state only.
    public func events() async -> LatestValues<Event> {
        await engine.addReader()
    }

    /// Changes what the service says of itself, while it is advertised.
    public func update(_ txt: TXTRecord) async throws {
        await engine.update(try runToken.mark(txt, port: port))
    }

    private static func marked(_ advertisement: Advertisement, _ run: RunToken) throws(InvalidTXT) -> Advertisement {
        var marked = advertisement
        marked.txt = try run.mark(advertisement.txt, port: advertisement.port)
        return marked
    }
}
