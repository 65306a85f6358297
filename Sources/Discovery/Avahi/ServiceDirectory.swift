import LinuxPlatform
import Vocabulary

/// What discovery needs of a DNS-SD responder. Avahi is one; tests script another.
///
/// All calls are made on `loop`'s thread and every handler is called there, never before the call that was given it has
/// returned. A handler may be called any number of times until its operation is cancelled or has failed; never after.
protocol ServiceDirectory: Sendable {
    /// Where everything happens. Calls may block it for as long as the responder takes to answer.
    var loop: EventLoop { get }

    /// Paths whose coming into being is a good moment to try again when the responder was away.
    var signsOfLife: [String] { get }

    /// Why nothing works, to be asked after a failure.
    func absence() -> AvahiAbsence

    /// Looks for services of a type, on all interfaces and over both address families.
    func browse(_ type: ServiceType, _ handler: @escaping @Sendable (BrowseAnswer) -> Void) throws(DirectoryFailure)
        -> any DirectoryOperation

    /// Asks for host, port and TXT record of a service, and goes on telling when they change.
    func resolve(
        _ name: InstanceName,
        _ type: ServiceType,
        on interface: UInt32,
        _ handler: @escaping @Sendable (ResolveAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation

    /// Tells of the TXT records of a service as they come and go. Resolving tells too, but when a record is replaced Avahi's
    /// resolver holds on to the old one for a second.
    func texts(
        of name: InstanceName,
        _ type: ServiceType,
        _ handler: @escaping @Sendable (TextAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation

    /// Asks for the addresses of one family that a host has, and goes on telling when they come and go.
    func addresses(
        of host: String,
        _ family: AddressFamily,
        _ handler: @escaping @Sendable (AddressAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation

    /// Advertises a service on one interface, or on all for nil.
    func register(
        _ advertisement: Advertisement,
        as name: InstanceName,
        on interface: UInt32?,
        _ handler: @escaping @Sendable (RegisterAnswer) -> Void
    ) throws(DirectoryFailure) -> any Registration
}

/// Something under way at the responder. It must be cancelled on the loop's thread; cancelling again does nothing.
protocol DirectoryOperation: AnyObject, Sendable {
    func cancel()
}

/// An advertised service.
protocol Registration: DirectoryOperation {
    /// Replaces the TXT record.
    func update(_ txt: TXTRecord) throws(DirectoryFailure)
}

/// The responder's refusal, by its own number.
struct DirectoryFailure: Error, Hashable {
    let number: Int32
    /// Whether the name is taken on this machine. Over the network a clash is settled by the responder, which chooses
    /// another name; between two services of one machine it only refuses.
    var isNameConflict = false
}

enum AddressFamily: Hashable, CaseIterable {
    case v4
    case v6
}

enum BrowseAnswer: Hashable {
    /// Comes once for each interface and address family.
    case appeared(name: String, interface: UInt32)
    /// Comes once for each of those.
    case vanished(name: String, interface: UInt32)
    /// The operation is dead, and most likely every other one too.
    case failed(DirectoryFailure)
}

enum ResolveAnswer: Hashable {
    case resolved(host: String, port: UInt16, txt: [UInt8])
    /// Nobody answers for the service now. The operation lives on and tells when somebody does.
    case unanswered
}

enum AddressAnswer: Hashable {
    case appeared(IPAddress, interface: UInt32)
    case vanished(IPAddress, interface: UInt32)
    case failed
}

enum TextAnswer: Hashable {
    case appeared([UInt8], interface: UInt32)
    case vanished([UInt8], interface: UInt32)
    case failed
}

enum RegisterAnswer: Hashable {
    /// The service is advertised, perhaps under another name than asked for. Can come again with a new name.
    case established(name: String)
    case failed(DirectoryFailure)
}
