package import LinuxPlatform

/// An address of a device as Syncthing writes it, such as `tcp://192.168.1.20:22000`, or as a user writes it, without
/// the scheme or port.
package struct DeviceAddress: Hashable, Sendable, CustomStringConvertible {
    /// The port that Syncthing has by default.
    package static let usualPort: UInt16 = 22_000

    /// An IP address or a name; empty for the sender of an announcement.
    package let host: String
    package let port: UInt16

    /// - Parameter text: an address that TCP can reach; any other gives nil, such as `quic://…`, `relay://…` or
    ///   `dynamic`
    package init?(_ text: String) {
        var rest = text[...]
        if let end = rest.firstRange(of: "://") {
            guard ["tcp", "tcp4", "tcp6"].contains(rest[..<end.lowerBound]) else { return nil }
            rest = rest[end.upperBound...]
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" }
        let isLiteral = rest.hasPrefix("[")
        let hostEnd = isLiteral ? rest.firstIndex(of: "]") : rest.lastIndex(of: ":") ?? rest.endIndex
        guard let hostEnd else { return nil }
        var host = rest[..<hostEnd]
        var tail = rest[hostEnd...]
        if isLiteral { (host, tail) = (host.dropFirst(), tail.dropFirst()) }
        if tail.isEmpty {
            port = Self.usualPort
        } else {
            guard tail.first == ":", let number = UInt16(tail.dropFirst()), number > 0 else { return nil }
            port = number
        }
        guard isLiteral || !host.contains(":"), host != "dynamic", host.utf8.count <= 255 else { return nil }
        self.host = ["0.0.0.0", "::"].contains(host) ? "" : String(host)
    }

    package var description: String { host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)" }

    /// The address to dial for an announcement.
    ///
    /// - Parameter sender: the address that the announcement came from
    /// - Returns: nil for a name, which no announcement needs, and for this machine itself
    package func resolved(from sender: IPAddress) -> SocketAddress? {
        guard !host.isEmpty else { return SocketAddress(sender, port: port) }
        guard let address = IPAddress(host), !Self.isLoopback(address) else { return nil }
        return SocketAddress(address, port: port)
    }

    private static func isLoopback(_ address: IPAddress) -> Bool {
        switch address {
        case .v4(let first, _, _, _): first == 127
        case .v6(let high, let low, _): high == 0 && low <= 1
        }
    }
}
