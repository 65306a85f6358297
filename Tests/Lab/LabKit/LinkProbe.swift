import CLinux
import Glibc
import LinuxPlatform

/// The measurement of a cable: round trips, losses and throughput.
///
/// It is a program of its own on the hosts at both ends, which may block.
public enum LinkProbe {
    /// The port of both ends, UDP for echoes and TCP for throughput.
    private static let port: UInt16 = 4242

    /// Echoes every datagram, one after the other, until the process ends.
    public static func echo() throws -> Never {
        let socket = try open(SOCK_DGRAM)
        try bind(socket)
        announce("echo ready")
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var sender = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let count = try withAddress(&sender) { address in
                try retrying("recvfrom") { recvfrom(socket.number, &buffer, buffer.count, 0, address, &length) }
            }
            _ = withAddress(&sender) { sendto(socket.number, buffer, count, 0, $0, length) }
        }
    }

    /// Accepts one connection, reads it to its end, and prints the received bits a second.
    public static func drain() throws {
        let socket = try open(SOCK_STREAM)
        try bind(socket)
        try retrying("listen") { listen(socket.number, 1) }
        announce("drain ready")
        let connection = OwnedDescriptor(
            takingOwnershipOf: try retrying("accept") { accept4(socket.number, nil, nil, CInt(SOCK_CLOEXEC.rawValue)) }
        )
        var buffer = [UInt8](repeating: 0, count: 262_144)
        var total = 0
        let start = ContinuousClock.now
        while true {
            let count = try retrying("read") { read(connection.number, &buffer, buffer.count) }
            if count == 0 { break }
            total += count
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        announce("\(Int(Double(total) * 8 / seconds))")
    }

    /// Sends as much data as possible within a time.
    public static func pour(to address: String, for length: Duration) throws {
        let socket = try open(SOCK_STREAM)
        var target = try parse(address)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withAddress(&target) { pointer in
            try retrying("connect", on: address) { connect(socket.number, pointer, size) }
        }
        let bytes = [UInt8](repeating: 7, count: 262_144)
        let end = ContinuousClock.now + length
        while ContinuousClock.now < end {
            try retrying("send") { send(socket.number, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
        }
    }

    /// Sends numbered datagrams, at most one each interval, and prints the number and times of the echoes.
    public static func ping(_ address: String, count: Int, interval: Duration, patience: Duration) throws {
        let socket = try open(SOCK_DGRAM)
        var target = try parse(address)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withAddress(&target) { pointer in
            try retrying("connect", on: address) { connect(socket.number, pointer, size) }
        }
        var pings = Pings(socket: socket.number, count: count)
        for number in 0..<count {
            try pings.send(number)
            // The interval counts from the last one. A burst to catch up would measure the buffers.
            try pings.receive(until: .now + interval)
        }
        try pings.receive(until: .now + patience)
        announce(pings.summary)
    }

    private static func open(_ type: __socket_type) throws -> OwnedDescriptor {
        OwnedDescriptor(
            takingOwnershipOf: try retrying("socket") {
                socket(AF_INET, CInt(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
            }
        )
    }

    private static func bind(_ socket: borrowing OwnedDescriptor) throws {
        let number = socket.number
        var yes: CInt = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        var any = try parse("0.0.0.0")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withAddress(&any) { pointer in
            try retrying("bind") { Glibc.bind(number, pointer, size) }
        }
    }

    private static func parse(_ address: String) throws -> sockaddr_in {
        var result = sockaddr_in()
        result.sin_family = sa_family_t(AF_INET)
        result.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &result.sin_addr) == 1 else {
            throw SystemError("inet_pton", EINVAL, on: address)
        }
        return result
    }

    @discardableResult
    private static func withAddress<Result>(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    private static func announce(_ line: String) {
        Console.say(line)
    }
}
