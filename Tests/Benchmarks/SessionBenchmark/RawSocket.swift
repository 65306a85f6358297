import Glibc
import LinuxPlatform
import Yardstick

/// A TCP socket whose calls block.
final class RawSocket: Sendable {
    static let port: UInt16 = 4801

    let descriptor: CInt

    private init(_ descriptor: CInt) {
        self.descriptor = descriptor
        var yes: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), CInt(TCP_NODELAY), &yes, 4)
    }

    deinit {
        close(descriptor)
    }

    static func listening() throws -> RawSocket {
        let number = try made()
        var yes: CInt = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        try withAddress("0.0.0.0") { raw, length in try retrying("bind") { bind(number, raw, length) } }
        try retrying("listen") { listen(number, 64) }
        return RawSocket(number)
    }

    static func connected(to host: String) throws -> RawSocket {
        let number = try made()
        try withAddress(host) { raw, length in try retrying("connect") { connect(number, raw, length) } }
        return RawSocket(number)
    }

    func accept() throws -> RawSocket {
        RawSocket(try retrying("accept") { Glibc.accept(descriptor, nil, nil) })
    }

    private static func made() throws -> CInt {
        try retrying("socket") { socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
    }

    private static func withAddress(
        _ host: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw BadWord(words: [host]) }
        try withUnsafeBytes(of: &address) { bytes in
            // because the socket calls take every kind of address through this one type
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
            try body(start, socklen_t(bytes.count))
        }
    }
}

extension RawTLS {
    convenience init(_ context: Context, _ socket: RawSocket) {
        self.init(context, socket.descriptor, heldBy: socket)
    }

    /// Reads and discards exactly a number of bytes.
    func skip(_ total: Int, _ room: Room) {
        var received = 0
        while received < total {
            received += read(into: UnsafeMutableRawBufferPointer(rebasing: room.bytes.prefix(total - received)))
        }
    }

    func write(byte: UInt8) {
        withUnsafeBytes(of: byte) { write($0) }
    }
}
