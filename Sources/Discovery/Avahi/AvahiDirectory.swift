import CDNSSD
import Glibc
import LinuxPlatform
import Vocabulary

/// Avahi, through its `dns_sd.h`.
///
/// The library makes blocking calls over D-Bus. It has a loop of its own, and all calls run there.
struct AvahiDirectory: ServiceDirectory {
    /// Avahi on this machine. All browsers and advertisers share it.
    static let system: AvahiDirectory = {
        // Without this variable, the library prints a notice to standard error and the system log that recommends
        // another API.
        setenv("AVAHI_COMPAT_NOWARN", "1", 1)
        huddle_let_avahi_memory_be_zeroed()
        return AvahiDirectory()
    }()

    let loop = EventLoop(named: "avahi")

    let startupPaths = ["/run/avahi-daemon/socket", "/run/dbus/system_bus_socket"]

    func absence() -> AvahiAbsence {
        if let busPath = Self.busPath, !Self.answers(busPath) { return .noBus }
        return Self.answers("/run/avahi-daemon/socket") ? .refused : .noDaemon
    }

    func browse(
        _ type: ServiceType,
        _ handler: @escaping @Sendable (BrowseAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation {
        let mailbox = CallbackContext(handler)
        return try ServiceReference(on: loop, mailbox: mailbox, whenDead: { @Sendable in handler(.failed($0)) }) {
            DNSServiceBrowse(&$0, 0, 0, type.description, "local", Self.browseReply, $1)
        }
    }

    func resolve(
        _ name: InstanceName,
        _ type: ServiceType,
        on interface: UInt32,
        _ handler: @escaping @Sendable (ResolveAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation {
        let mailbox = CallbackContext(handler)
        return try ServiceReference(on: loop, mailbox: mailbox, whenDead: { @Sendable _ in handler(.unanswered) }) {
            DNSServiceResolve(&$0, 0, interface, name.text, type.description, "local", Self.resolveReply, $1)
        }
    }

    func addresses(
        of host: String,
        _ family: AddressFamily,
        _ handler: @escaping @Sendable (AddressAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation {
        let mailbox = CallbackContext(handler)
        let type = UInt16(family == .v4 ? kDNSServiceType_A : kDNSServiceType_AAAA)
        let kind = UInt16(kDNSServiceClass_IN)
        return try ServiceReference(on: loop, mailbox: mailbox, whenDead: { @Sendable _ in handler(.failed) }) {
            DNSServiceQueryRecord(&$0, 0, 0, host, type, kind, Self.addressReply, $1)
        }
    }

    func texts(
        of name: InstanceName,
        _ type: ServiceType,
        _ handler: @escaping @Sendable (TextAnswer) -> Void
    ) throws(DirectoryFailure) -> any DirectoryOperation {
        var fullName = [CChar](repeating: 0, count: Int(kDNSServiceMaxDomainName))
        guard DNSServiceConstructFullName(&fullName, name.text, type.description, "local") == 0 else {
            throw DirectoryFailure(DNSServiceErrorType(kDNSServiceErr_BadParam))
        }
        let mailbox = CallbackContext(handler)
        let (text, kind) = (UInt16(kDNSServiceType_TXT), UInt16(kDNSServiceClass_IN))
        return try ServiceReference(on: loop, mailbox: mailbox, whenDead: { @Sendable _ in handler(.failed) }) {
            DNSServiceQueryRecord(&$0, 0, 0, fullName, text, kind, Self.textReply, $1)
        }
    }

    func register(
        _ advertisement: Advertisement,
        as name: InstanceName,
        on interface: UInt32?,
        _ handler: @escaping @Sendable (RegisterAnswer) -> Void
    ) throws(DirectoryFailure) -> any Registration {
        let mailbox = CallbackContext(handler)
        let txt = advertisement.txt.wireBytes
        let reference = try ServiceReference(
            on: loop,
            mailbox: mailbox,
            whenDead: { @Sendable in handler(.failed($0)) },
            open: {
                DNSServiceRegister(
                    &$0,
                    0,
                    interface ?? 0,
                    name.text,
                    advertisement.type.description,
                    "local",
                    nil,
                    advertisement.port.bigEndian,
                    UInt16(txt.count),
                    txt,
                    Self.registerReply,
                    $1
                )
            }
        )
        return AvahiRegistration(reference)
    }

    /// Path of the system bus's socket; nil if the address of the bus is not a path.
    private static var busPath: String? {
        let standard = "/run/dbus/system_bus_socket"
        guard let address = getenv("DBUS_SYSTEM_BUS_ADDRESS").map({ String(cString: $0) }) else { return standard }
        let path = address.split(separator: ";").first?.split(separator: ",").first { $0.hasPrefix("unix:path=") }
        return path.map { String($0.dropFirst("unix:path=".count)) }
    }

    private static func answers(_ path: String) -> Bool {
        (try? UnixSocket.canConnect(to: path)) ?? false
    }
}

/// A registration that Avahi holds.
private final class AvahiRegistration: Registration {
    private let reference: ServiceReference

    init(_ reference: ServiceReference) {
        self.reference = reference
    }

    func cancel() { reference.cancel() }

    func update(_ txt: TXTRecord) throws(DirectoryFailure) {
        let bytes = txt.wireBytes
        let failure = reference.call { DNSServiceUpdateRecord($0, nil, 0, UInt16(bytes.count), bytes, 0) }
        if let failure, failure != kDNSServiceErr_NoError { throw DirectoryFailure(failure) }
    }
}
