import CLinux
import Glibc

/// A network interface in its current state.
public struct NetworkInterface: Hashable, Sendable {
    /// The kernel's number for it, unique while the machine runs.
    public let index: UInt32
    /// Its name, such as `eth0`.
    public let name: String
    /// True if it is up and its cable or radio link is connected.
    public let isRunning: Bool
    /// True if it reaches only this machine.
    public let isLoopback: Bool
    /// True if it supports multicast, as discovery needs.
    public let takesMulticast: Bool
    /// True if it has only one other end, as most VPNs do.
    public let isPointToPoint: Bool
    /// Its addresses, in the kernel's order.
    public let addresses: [IPAddress]

    /// The name of an interface by its number; nil if it no longer exists.
    public static func name(of index: UInt32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let start = buffer.baseAddress, if_indextoname(index, start) != nil else { return nil }
            return String(cString: start)
        }
    }

    /// Tells if an interface exists, is up and has its cable or radio link.
    public static func isRunning(_ index: UInt32) -> Bool {
        guard let all = try? all() else { return false }
        return all.contains { $0.index == index && $0.isRunning }
    }

    /// All interfaces of this machine, by number.
    public static func all() throws(SystemError) -> [NetworkInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        try retrying("getifaddrs") { getifaddrs(&list) }
        defer { freeifaddrs(list) }
        var found: [UInt32: Draft] = [:]
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry = entry?.pointee else { break }
            let name = String(cString: entry.ifa_name)
            let index = if_nametoindex(name)
            // The interface disappeared between the two calls.
            guard index != 0 else { continue }
            found[index, default: Draft(name: name)].take(entry)
        }
        return found.sorted { $0.key < $1.key }.map { $1.finished(index: $0) }
    }
}

extension NetworkInterface {
    private struct Draft {
        let name: String
        var flags: UInt32 = 0
        var addresses: [IPAddress] = []

        mutating func take(_ entry: ifaddrs) {
            flags = entry.ifa_flags
            guard let raw = entry.ifa_addr else { return }
            var storage = sockaddr_storage()
            let size =
                switch CInt(raw.pointee.sa_family) {
                case AF_INET: MemoryLayout<sockaddr_in>.size
                case AF_INET6: MemoryLayout<sockaddr_in6>.size
                default: 0
                }
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: raw, count: size))
            }
            if let address = SocketAddress(storage)?.address { addresses.append(address) }
        }

        func finished(index: UInt32) -> NetworkInterface {
            func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
            return NetworkInterface(
                index: index,
                name: name,
                isRunning: has(IFF_UP) && has(IFF_RUNNING),
                isLoopback: has(IFF_LOOPBACK),
                takesMulticast: has(IFF_MULTICAST),
                isPointToPoint: has(IFF_POINTOPOINT),
                addresses: addresses
            )
        }
    }
}
