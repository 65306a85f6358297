import CLinux
import Glibc

/// Sockets with an address in the file system.
public enum UnixSocket {
    /// The most bytes that the path of one may have.
    public static let maximumPathByteCount = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// The program at the other end, as the kernel noted it when the connection was made.
    public struct Credentials: Hashable, Sendable {
        /// The number of its user.
        public let user: UInt32
        /// Its process number.
        public let process: Int32
    }

    /// Tells if a program accepts connections at this path. The connection is closed at once.
    public static func canConnect(to path: String) throws(SystemError) -> Bool {
        let socket = try Sockets.open(AF_UNIX)
        return try call(path) { Glibc.connect(socket.number, $0, $1) } == 0
    }

    /// Connects to the listener at a path. A local socket does so at once or not at all.
    public static func connect(to path: String, on loop: EventLoop) throws(SystemError) -> StreamSocket {
        let socket = try Sockets.open(AF_UNIX)
        guard try call(path, { Glibc.connect(socket.number, $0, $1) }) == 0 else {
            throw SystemError("connect", on: path)
        }
        return try StreamSocket(socket, on: loop)
    }

    /// Listens at a path that does not exist yet. Only this user may connect. The kernel's maximum of connections may
    /// wait; further ones are refused.
    public static func listen(at path: String) throws(SystemError) -> OwnedDescriptor {
        let socket = try Sockets.open(AF_UNIX)
        // The file gets its mode when it is made, so that others can't connect at any moment.
        guard fchmod(socket.number, 0o600) == 0 else { throw SystemError("fchmod", on: path) }
        guard try call(path, { bind(socket.number, $0, $1) }) == 0 else { throw SystemError("bind", on: path) }
        guard Glibc.listen(socket.number, SOMAXCONN) == 0 else { throw SystemError("listen", on: path) }
        return socket
    }

    /// Sends one datagram to the receiver at a path, or, behind an `@`, at a name that is no file.
    public static func sendDatagram(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let socket = try Sockets.open(AF_UNIX, SOCK_DGRAM)
        let sent = try call(path) { address, length in
            bytes.withUnsafeBytes { bytes in
                sendto(socket.number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL), address, length) >= 0 ? 0 : -1
            }
        }
        guard sent == 0 else { throw SystemError("sendto", on: path) }
    }

    /// Returns the credentials of the program at the other end of a connected socket.
    public static func credentials(of descriptor: CInt) throws(SystemError) -> Credentials {
        var found = huddle_credentials()
        guard huddle_peer_credentials(descriptor, &found) == 0 else { throw SystemError("getsockopt SO_PEERCRED") }
        return Credentials(user: found.user, process: found.process)
    }

    /// Returns the path of a listening socket; nil if that is no file.
    public static func path(of descriptor: CInt) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let found = withUnsafeMutablePointer(to: &address) { pointer in
            // because the socket calls take every kind of address through this one type
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard found == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let bytes = withUnsafeBytes(of: address.sun_path) { $0.prefix { $0 != 0 }.map(\.self) }
        return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func call(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(SystemError) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        guard bytes.count <= maximumPathByteCount else { throw SystemError("connect", ENAMETOOLONG, on: path) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // A name that is no file ends with the address, not with a zero.
        let size = isAbstract ? MemoryLayout<sa_family_t>.size + bytes.count : MemoryLayout<sockaddr_un>.size
        let length = socklen_t(size)
        return withUnsafePointer(to: &address) { pointer in
            // because the socket calls take every kind of address through this one type
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
