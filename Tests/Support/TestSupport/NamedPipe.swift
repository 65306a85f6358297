import Glibc
import LinuxPlatform

/// A named pipe, into which programs write for a test.
public final class NamedPipe: Sendable {
    private let descriptor: OwnedDescriptor

    /// Makes one.
    public init(at path: String) throws {
        _ = try retrying("mkfifo") { mkfifo(path, 0o600) }
        // The pipe is open for writing as well, so that it never ends.
        descriptor = OwnedDescriptor(
            takingOwnershipOf: try retrying("open") { open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC) }
        )
    }

    /// The next text, up to the 4 KiB of one atomic write.
    public func next() async throws -> String {
        try await EventLoop.shared.waitUntil(.readable, descriptor.number)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = try retrying("read") { read(descriptor.number, &bytes, bytes.count) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
