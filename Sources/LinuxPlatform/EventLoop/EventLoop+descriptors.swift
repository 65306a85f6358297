import CLinux
import Glibc
import Synchronization

/// A descriptor under watch. It must be cancelled before the descriptor is closed.
public final class DescriptorWatch: Sendable {
    private let id: UInt64
    private let descriptor: CInt
    // Unowned would do for the thread's part, but whoever holds a watch needs its loop to live.
    private let loop: EventLoop

    fileprivate init(id: UInt64, descriptor: CInt, loop: EventLoop) {
        self.id = id
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Ends the watch. Called on the loop's thread, no handler runs afterwards; called from another thread, one that has
    /// begun may still be running. Cancelling again does nothing.
    public func cancel() {
        guard loop.state.withLock({ $0.watches.removeValue(forKey: id) }) != nil else { return }
        if case .thread(let poll) = loop.driver { poll.remove(descriptor) }
    }
}

extension EventLoop {
    /// Calls `handler` on the loop's thread each time round while the descriptor is ready for `interest` or has failed.
    ///
    /// A descriptor can be watched once by a loop. The descriptor stays its owner's. It fails where the kernel watches too
    /// much already, and for what it can't watch, such as a plain file.
    public func watch(
        _ descriptor: CInt,
        for interest: Readiness,
        _ handler: @escaping @Sendable (Readiness) -> Void
    ) throws(SystemError) -> DescriptorWatch {
        try watch(descriptor, epollBits: interest.rawValue, handler)
    }

    /// Suspends until the descriptor is ready or has failed; which of the two, the next call on it will tell.
    public nonisolated(nonsending) func waitUntil(_ interest: Interest, _ descriptor: CInt) async throws {
        try await wait(for: interest == .readable ? .readable : .writable, of: descriptor)
    }

    /// Suspends until the descriptor has failed or whoever was at its other end has gone.
    public nonisolated(nonsending) func waitUntilEnded(_ descriptor: CInt) async throws {
        // Both are reported unasked.
        try await wait(for: [], of: descriptor)
    }

    private nonisolated(nonsending) func wait(for bits: Readiness, of descriptor: CInt) async throws {
        let resumption = Resumption<Void>()
        let watch = try watch(descriptor, epollBits: bits.rawValue | EPOLLONESHOT.rawValue) { @Sendable _ in
            resumption.resume(with: .success(()))
        }
        defer { watch.cancel() }
        try await resumption.value(from: taskExecutor)
    }

    func watch(
        _ descriptor: CInt,
        epollBits: UInt32,
        _ handler: @escaping @Sendable (Readiness) -> Void
    ) throws(SystemError) -> DescriptorWatch {
        // A simulation has no descriptors.
        guard case .thread(let poll) = driver else { throw SystemError("epoll_ctl", ENOSYS) }
        let id = state.withLock { state in
            state.lastWatch += 1
            state.watches[state.lastWatch] = handler
            return state.lastWatch
        }
        do throws(SystemError) {
            try poll.add(descriptor, for: epollBits, id: id)
        } catch {
            state.withLock { $0.watches[id] = nil }
            throw error
        }
        return DescriptorWatch(id: id, descriptor: descriptor, loop: self)
    }
}
