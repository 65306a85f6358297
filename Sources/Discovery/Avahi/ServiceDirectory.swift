import LinuxPlatform
import Vocabulary

/// The interface of discovery to a DNS-SD responder. Avahi is one; tests script another.
///
/// All calls and all handlers run on `loop`'s thread. A handler never runs before the call that received it has
/// returned. It may run any number of times until its operation is cancelled or has failed, and never afterwards.
protocol ServiceDirectory: Sendable {
    /// The loop of all calls and handlers. A call may block it until the responder answers.
    var loop: EventLoop { get }

    /// Paths that appear when the responder starts. When one appears, the next attempt is likely to succeed.
    var startupPaths: [String] { get }

    /// The reason why the responder can't be used; asked after a failure.
    func absence() -> AvahiAbsence

    /// Browses services of a type, on all interfaces and over both address families.
    func browse(_ type: ServiceType, _ handler: @escaping @Sendable (BrowseAnswer) -> Void) throws(DirectoryFailure)
        -> any DirectoryOperation

    /// Queries host, port and TXT record of a service, and reports changes until it is cancelled.
    func resolve(
        _ name: InstanceName,
        _ type: ServiceType,
        on interface: UInt32,
        _ handler: @escaping @Sendable (ResolveAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation

    /// Reports the TXT records of a service as they appear and vanish. A resolver reports them, too, but Avahi's
    /// resolver returns a replaced record for another second.
    func texts(
        of name: InstanceName,
        _ type: ServiceType,
        _ handler: @escaping @Sendable (TextAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation

    /// Queries the addresses of a host in one family, and reports changes until it is cancelled.
    func addresses(
        of host: String,
        _ family: AddressFamily,
        _ handler: @escaping @Sendable (AddressAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation

    /// Advertises a service on one interface, or on all if `interface` is nil.
    func register(
        _ advertisement: Advertisement,
        as name: InstanceName,
        on interface: UInt32?,
        _ handler: @escaping @Sendable (RegisterAnswer) -> Void
    ) throws(DirectoryFailure) -> any Registration
}

/// A running operation of the responder. Cancel it on the loop's thread; cancelling twice is harmless.
protocol DirectoryOperation: AnyObject, Sendable {
    func cancel()
}

/// An advertised service.
protocol Registration: DirectoryOperation {
    /// Replaces the TXT record.
    func update(_ txt: TXTRecord) throws(DirectoryFailure)
}

/// An error of the responder with its own number.
struct DirectoryFailure: Error, Hashable {
    let number: Int32
    /// True if another service of this machine has the name. A clash over the network is no failure: the responder
    /// chooses another name.
    var isNameConflict = false
}

enum AddressFamily: Hashable, CaseIterable {
    case v4
    case v6
}

enum BrowseAnswer: Hashable {
    /// A service appeared. Reported once for each interface and address family.
    case appeared(name: String, interface: UInt32)
    /// A service vanished. Reported once for each interface and address family.
    case vanished(name: String, interface: UInt32)
    /// The operation has ended, and most likely all others have ended, too.
    case failed(DirectoryFailure)
}

enum ResolveAnswer: Hashable {
    case resolved(host: String, port: UInt16, txt: [UInt8])
    /// No host answers for the service at present. The operation continues and reports a later answer.
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
    /// The service is advertised, perhaps under another name. Reported again if the name changes.
    case established(name: String)
    case failed(DirectoryFailure)
}
