import CLinux
import Glibc

/// An address of a machine: IPv4 or IPv6. A link-local address includes its interface.
public enum IPAddress: Hashable, Sendable {
    /// Four bytes in their written order.
    case v4(UInt8, UInt8, UInt8, UInt8)
    /// Sixteen bytes as two halves, and the number of the interface for a link-local address (otherwise 0).
    case v6(high: UInt64, low: UInt64, interface: UInt32)

    /// The four bytes of an IPv4 or the sixteen of an IPv6 address, as DNS carries them; nil for any other number.
    ///
    /// - Parameter interface: the interface on which the address was seen; kept only for link-local addresses, which
    ///   mean nothing without it
    public init?(bytes: [UInt8], seenOn interface: UInt32) {
        switch bytes.count {
        case 4:
            self = .v4(bytes[0], bytes[1], bytes[2], bytes[3])
        case 16:
            let high = bytes[..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            let low = bytes[8...].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            let isLinkLocal = high >> 54 == 0xFE80 >> 6
            self = .v6(high: high, low: low, interface: isLinkLocal ? interface : 0)
        default:
            return nil
        }
    }

    /// The number of the interface that a link-local address belongs to (otherwise 0).
    public var interfaceIndex: UInt32 {
        switch self {
        case .v4: 0
        case .v6(_, _, let interface): interface
        }
    }

    /// The range that one machine may control: an IPv4 address itself, or the first 64 bits of an IPv6 address.
    public var network: IPAddress {
        switch self {
        case .v4: self
        case .v6(let high, _, let interface): .v6(high: high, low: 0, interface: interface)
        }
    }

    /// Reads `10.0.0.1`, `fd00::1`, `fe80::1%eth0` or `fe80::1%3`; nil for anything else.
    public init?(_ text: some StringProtocol) {
        // C would read only up to a NUL.
        guard !text.utf8.contains(0) else { return nil }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        let scope = parts.count == 2 ? String(parts[1]) : nil
        let interface = scope.map(Self.interface) ?? 0
        guard scope == nil || interface != 0 else { return nil }
        var v4 = in_addr()
        var v6 = in6_addr()
        if scope == nil, inet_pton(AF_INET, String(parts[0]), &v4) == 1 {
            self.init(bytes: withUnsafeBytes(of: v4) { Array($0) }, seenOn: 0)
        } else if inet_pton(AF_INET6, String(parts[0]), &v6) == 1 {
            self.init(bytes: withUnsafeBytes(of: v6) { Array($0) }, seenOn: interface)
        } else {
            return nil
        }
    }

    private static func interface(_ scope: String) -> UInt32 {
        let isNumber = scope.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? UInt32(scope) ?? 0 : if_nametoindex(scope)
    }

    /// True if the address is valid on one link only.
    public var isLinkLocal: Bool {
        switch self {
        case .v4(let a, let b, _, _): a == 169 && b == 254
        case .v6(let high, _, _): high >> 54 == 0xFE80 >> 6
        }
    }

    /// True if the address belongs to no public network: private (RFC 1918), unique local (RFC 4193) or link-local.
    public var isPrivate: Bool {
        switch self {
        case .v4(10, _, _, _), .v4(192, 168, _, _): true
        case .v4(172, let b, _, _): (16...31).contains(b)
        case .v4: isLinkLocal
        case .v6(let high, _, _): high >> 57 == 0xFC >> 1 || isLinkLocal
        }
    }

    /// True if a single machine can have the address: it is not unspecified, multicast or broadcast.
    public var isOfOneMachine: Bool {
        switch self {
        case .v4(255, 255, 255, 255): false
        case .v4(let a, _, _, _): a != 0 && !(224...239).contains(a)
        case .v6(let high, let low, _): high >> 56 != 0xFF && (high != 0 || low != 0)
        }
    }

    /// True if the address never leaves this machine.
    public var isLoopback: Bool {
        switch self {
        case .v4(let a, _, _, _): a == 127
        case .v6(let high, let low, _): high == 0 && low == 1
        }
    }

    /// The bytes in network order.
    public var bytes: [UInt8] {
        switch self {
        case .v4(let a, let b, let c, let d): [a, b, c, d]
        case .v6(let high, let low, _): Self.bytes(of: high) + Self.bytes(of: low)
        }
    }

    private static func bytes(of half: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The usual form, with the interface's name behind `%` if there is one.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        var bytes = bytes
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, &bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        let plain = text.prefix { $0 != 0 }.map { String(UnicodeScalar(UInt8(bitPattern: $0))) }.joined()
        guard case .v6(_, _, let interface) = self, interface != 0 else { return plain }
        return "\(plain)%\(NetworkInterface.name(of: interface) ?? String(interface))"
    }
}
