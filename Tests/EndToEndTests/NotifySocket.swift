import Glibc
import LinuxPlatform

/// The notify socket of systemd.
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: OwnedDescriptor

    init(at path: String) throws {
        self.path = path
        let number = try retrying("socket") { socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
        descriptor = OwnedDescriptor(takingOwnershipOf: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        _ = try retrying("bind") {
            withUnsafePointer(to: &address) { pointer in
                // because the socket calls take every kind of address through this one type
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
            }
        }
    }

    /// The next message.
    func next() async throws -> String {
        try await EventLoop.shared.waitUntil(.readable, descriptor.number)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = try retrying("recv") { recv(descriptor.number, &bytes, bytes.count, 0) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// True if a message is not read yet.
    var hasMore: Bool {
        get throws {
            var count: CInt = 0
            try retrying("ioctl") { ioctl(descriptor.number, UInt(FIONREAD), &count) }
            return count > 0
        }
    }
}
