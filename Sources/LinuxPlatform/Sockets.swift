import CLinux
import Glibc

/// The calls that make and set up sockets.
enum Sockets {
    /// A stream socket that neither blocks nor is inherited by children.
    static func open(_ family: CInt) throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(
            takingOwnershipOf: try retrying("socket") {
                socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            }
        )
    }

    /// Without this, the second of two small writes waits for the first one's acknowledgement.
    static func sendSmallMessagesAtOnce(_ descriptor: CInt) throws(SystemError) {
        try set(CInt(TCP_NODELAY), of: CInt(IPPROTO_TCP), on: descriptor)
    }

    static func set(_ option: CInt, of level: CInt, on descriptor: CInt) throws(SystemError) {
        var yes: CInt = 1
        try retrying("setsockopt") { setsockopt(descriptor, level, option, &yes, socklen_t(MemoryLayout<CInt>.size)) }
    }

    /// Throws what a connection attempt that ended meanwhile came to.
    static func throwPendingError(of descriptor: CInt, _ operation: String) throws(SystemError) {
        var number: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        try retrying("getsockopt") { getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length) }
        if number != 0 { throw SystemError(operation, number) }
    }

    static func localAddress(of descriptor: CInt) throws(SystemError) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        try retrying("getsockname") {
            withUnsafeMutableBytes(of: &storage) { bytes in
                // because the socket calls take every kind of address through this one type
                getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
            }
        }
        return SocketAddress(storage)
    }
}
