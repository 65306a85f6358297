import Glibc
public import LinuxPlatform

/// Connections that seem to be from other machines: this machine has all addresses of 127.0.0.0/8.
public enum LoopbackStranger {
    /// Begins a connection to a port of 127.0.0.1 from 127.0.0.`source`, without a wait.
    public static func connecting(to port: UInt16, from source: UInt8) throws -> StreamSocket {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let made = OwnedDescriptor(takingOwnershipOf: try retrying("socket") { socket(AF_INET, kind, 0) })
        let number = made.number
        var one = CInt(1)
        // With this, thousands of connections need only the ports of their own address.
        setsockopt(number, CInt(IPPROTO_IP), CInt(24), &one, socklen_t(MemoryLayout<CInt>.size))
        try withAddress(source, port: 0) { raw, length in try retrying("bind") { bind(number, raw, length) } }
        try withAddress(1, port: port) { raw, length in
            if connect(number, raw, length) != 0, errno != EINPROGRESS { throw SystemError("connect") }
        }
        return try StreamSocket(made, on: .shared)
    }

    private static func withAddress(
        _ last: UInt8,
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0000 | UInt32(last)).bigEndian)
        try withUnsafePointer(to: &address) { pointer in
            // because the socket calls take every kind of address through this one type
            try UnsafeRawPointer(pointer).withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
