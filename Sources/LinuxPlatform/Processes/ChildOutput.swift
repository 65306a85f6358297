import Glibc

/// Our end of a pipe that a program writes to.
///
/// Nothing is read until somebody asks, so a program that says more than anyone wants to hear waits in its own `write`.
public final class ChildOutput: Sendable {
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop

    init(_ descriptor: consuming OwnedDescriptor, on loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Waits for bytes and answers with at most `limit` of them; none at all means that the end has come: the program and
    /// everybody it lent its output to have closed it. Only one task may read.
    public func read(upTo limit: Int = 65_536) async throws -> [UInt8] {
        while true {
            if let bytes = try readAvailable(upTo: limit) { return bytes }
            try await loop.waitUntil(.readable, descriptor.number)
        }
    }

    /// What is there now: nil where one would have to wait, nothing where the end has come.
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

    /// What the program says, line by line.
    ///
    /// - Parameter limit: how many bytes a line may have; a longer one comes in pieces
    public func lines(limit: Int = 65_536) -> ChildOutputLines {
        ChildOutputLines(self, limit: limit)
    }
}
