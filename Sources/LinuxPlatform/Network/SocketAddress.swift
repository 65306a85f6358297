import CLinux
import Glibc

/// An address and a port.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The IP address.
    public let address: IPAddress
    /// The port number.
    public let port: UInt16

    /// Combines an address and a port.
    public init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// The form that a user would type, with an IPv6 address in brackets.
    public var description: String {
        if case .v6 = address { return "[\(address)]:\(port)" }
        return "\(address):\(port)"
    }

    var family: CInt {
        if case .v4 = address { return AF_INET }
        return AF_INET6
    }

    /// Lends the kernel's form of the address.
    func withRaw<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        switch address {
        case .v4:
            var raw = sockaddr_in()
            raw.sin_family = sa_family_t(AF_INET)
            raw.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &raw.sin_addr) { $0.copyBytes(from: address.bytes) }
            return try Self.lend(&raw, body)
        case .v6(_, _, let interface):
            var raw = sockaddr_in6()
            raw.sin6_family = sa_family_t(AF_INET6)
            raw.sin6_port = port.bigEndian
            raw.sin6_scope_id = interface
            withUnsafeMutableBytes(of: &raw.sin6_addr) { $0.copyBytes(from: address.bytes) }
            return try Self.lend(&raw, body)
        }
    }

    /// Copies an address that a library lends; nil for families other than the two of IP, or if it is cut short.
    ///
    /// - Parameter raw: a `sockaddr` of any family
    public init?(lent raw: UnsafeRawBufferPointer) {
        var storage = sockaddr_storage()
        guard raw.count <= MemoryLayout<sockaddr_storage>.size else { return nil }
        withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: raw) }
        let least =
            CInt(storage.ss_family) == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        guard raw.count >= least else { return nil }
        self.init(storage)
    }

    /// Reads an address that the kernel filled in; nil for families other than the two of IP.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch CInt(storage.ss_family) {
        case AF_INET:
            let raw = Self.view(&storage, as: sockaddr_in.self)
            let bytes = withUnsafeBytes(of: raw.sin_addr) { Array($0) }
            guard let address = IPAddress(bytes: bytes, seenOn: 0) else { return nil }
            self.init(address, port: UInt16(bigEndian: raw.sin_port))
        case AF_INET6:
            let raw = Self.view(&storage, as: sockaddr_in6.self)
            let bytes = withUnsafeBytes(of: raw.sin6_addr) { Array($0) }
            // A socket of both families sees IPv4 in this mapped form.
            let plain = bytes.starts(with: Self.mappedPrefix) ? Array(bytes[12...]) : bytes
            guard let address = IPAddress(bytes: plain, seenOn: raw.sin6_scope_id) else { return nil }
            self.init(address, port: UInt16(bigEndian: raw.sin6_port))
        default:
            return nil
        }
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// The mapped form that an IPv6 socket needs for IPv4 addresses.
    var mapped: SocketAddress {
        guard case .v4 = address else { return self }
        let low = address.bytes.reduce(0xFFFF) { $0 << 8 | UInt64($1) }
        return SocketAddress(.v6(high: 0, low: low, interface: 0), port: port)
    }

    private static func lend<Raw, Result>(
        _ raw: inout Raw,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let length = socklen_t(MemoryLayout<Raw>.size)
        return try withUnsafePointer(to: &raw) { pointer throws(SystemError) in
            // because the socket calls take every kind of address through this one type
            try UnsafeRawPointer(pointer).withMemoryRebound(to: sockaddr.self, capacity: 1) {
                raw throws(SystemError) in try body(raw, length)
            }
        }
    }

    private static func view<Raw>(_ storage: inout sockaddr_storage, as type: Raw.Type) -> Raw {
        withUnsafeBytes(of: &storage) { $0.loadUnaligned(as: Raw.self) }
    }
}
