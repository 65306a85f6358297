import CLinux
import Glibc

/// The calls that create and configure sockets.
enum Sockets {
    /// Creates a socket that neither blocks nor is inherited by children.
    static func open(_ family: CInt, _ kind: __socket_type = SOCK_STREAM) throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(
            takingOwnershipOf: try retrying("socket") {
                socket(family, CInt(kind.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            }
        )
    }

    /// Binds a socket, and returns its address after the kernel has chosen a port.
    static func bind(_ descriptor: CInt, to address: SocketAddress) throws(SystemError) -> SocketAddress {
        // Set explicitly: otherwise the administrator decides if the unspecified IPv6 address includes IPv4.
        if address.family == AF_INET6 { try set(CInt(IPV6_V6ONLY), of: CInt(IPPROTO_IPV6), to: 0, on: descriptor) }
        _ = try address.withRaw { raw, length throws(SystemError) in
            try retrying("bind", on: address.description) { Glibc.bind(descriptor, raw, length) }
        }
        guard let bound = try localAddress(of: descriptor) else { throw SystemError("getsockname", EAFNOSUPPORT) }
        return bound
    }

    /// Makes the kernel ask, after half a minute of silence, if the other machine still exists. Otherwise a connection
    /// that only receives would outlive, for ever, a machine that lost its power.
    static func noticeVanishedMachines(_ descriptor: CInt) throws(SystemError) {
        try set(SO_KEEPALIVE, of: SOL_SOCKET, on: descriptor)
        try set(CInt(TCP_KEEPIDLE), of: CInt(IPPROTO_TCP), to: 30, on: descriptor)
        try set(CInt(TCP_KEEPINTVL), of: CInt(IPPROTO_TCP), to: 5, on: descriptor)
        try set(CInt(TCP_KEEPCNT), of: CInt(IPPROTO_TCP), to: 3, on: descriptor)
    }

    /// Sends small writes at once. Otherwise the second of two small writes waits for the acknowledgement of the first.
    static func sendSmallMessagesAtOnce(_ descriptor: CInt) throws(SystemError) {
        try set(CInt(TCP_NODELAY), of: CInt(IPPROTO_TCP), on: descriptor)
    }

    static func set(
        _ option: CInt,
        of level: CInt,
        to value: CInt = 1,
        on descriptor: CInt
    ) throws(SystemError) {
        var value = value
        try retrying("setsockopt") { setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size)) }
    }

    /// Throws the error of a connection attempt that has ended.
    static func throwPendingError(of descriptor: CInt, _ operation: String) throws(SystemError) {
        var number: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        try retrying("getsockopt") { getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length) }
        if number != 0 { throw SystemError(operation, number) }
    }

    static func localAddress(of descriptor: CInt) throws(SystemError) -> SocketAddress? {
        try filledIn { raw, length throws(SystemError) in
            try retrying("getsockname") { getsockname(descriptor, raw, &length) }
        }.address
    }

    /// The address of the other end; nil for a socket that is not connected, or not by IP.
    static func remoteAddress(of descriptor: CInt) -> SocketAddress? {
        let answer = try? filledIn { raw, length throws(SystemError) in
            try retrying("getpeername") { getpeername(descriptor, raw, &length) }
        }
        return answer?.address
    }

    /// Lends room for an address to a call that fills it in.
    static func filledIn<Answer>(
        _ call: (UnsafeMutablePointer<sockaddr>, inout socklen_t) throws(SystemError) -> Answer
    ) throws(SystemError) -> (answer: Answer, address: SocketAddress?) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let answer = try withUnsafeMutablePointer(to: &storage) { pointer throws(SystemError) in
            // because the socket calls take every kind of address through this one type
            try UnsafeMutableRawPointer(pointer).withMemoryRebound(to: sockaddr.self, capacity: 1) {
                raw throws(SystemError) in try call(raw, &length)
            }
        }
        return (answer, SocketAddress(storage))
    }
}
