import Glibc

/// This program's end of a pipe that a child writes to.
///
/// It reads only on request, so a program that writes more than is wanted waits in its own `write`.
public final class ChildOutput: Sendable {
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop

    init(_ descriptor: consuming OwnedDescriptor, on loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Waits for bytes and returns at most `limit` of them; none at all means the end: the program and all programs
    /// that share its output have closed it. Only one task may read.
    public func read(upTo limit: Int = 65_536) async throws -> [UInt8] {
        while true {
            if let bytes = try readAvailable(upTo: limit) { return bytes }
            try await loop.waitUntil(.readable, descriptor.number)
        }
    }

    /// Returns the bytes that are available: nil if the caller would have to wait, none at the end.
    func readAvailable(upTo limit: Int) throws(SystemError) -> [UInt8]? {
        var count: Int?
        var failure: SystemError?
        // because filling 64 KiB with zeros for every short line would cost more than reading it
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initializedCount in
            do throws(SystemError) {
                count = try retryingUnlessBlocked("read") { Glibc.read(descriptor.number, buffer.baseAddress, limit) }
            } catch {
                failure = error
            }
            initializedCount = count ?? 0
        }
        if let failure { throw failure }
        return count.map { _ in bytes }
    }

    /// The program's output, line by line.
    ///
    /// - Parameter limit: how many bytes a line may have; a longer one comes in pieces
    public func lines(limit: Int = 65_536) -> ChildOutputLines {
        ChildOutputLines(self, limit: limit)
    }
}
