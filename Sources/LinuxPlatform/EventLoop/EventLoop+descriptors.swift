import CLinux
import Glibc
import Synchronization

/// A watched descriptor. Cancel the watch before the descriptor is closed.
public final class DescriptorWatch: Sendable {
    private let id: UInt64
    private let descriptor: CInt
    // Unowned would suffice for the loop's thread, but the holder of a watch needs its loop to live.
    private let loop: EventLoop

    fileprivate init(id: UInt64, descriptor: CInt, loop: EventLoop) {
        self.id = id
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Ends the watch. If called on the loop's thread, no handler runs afterwards; if called from another thread, one
    /// that has begun may still be running. A second call does nothing.
    public func cancel() {
        guard loop.state.withLock({ $0.watches.removeValue(forKey: id) }) != nil else { return }
        if case .thread(let poll) = loop.driver { poll.remove(descriptor) }
    }
}

extension EventLoop {
    /// Calls `handler` on the loop's thread in each iteration while the descriptor is ready for `interest` or has
    /// failed.
    ///
    /// A loop can watch a descriptor once. The descriptor stays with its owner. The call fails if the kernel already
    /// watches too much, and for descriptors that it can't watch, such as plain files.
    public func watch(
        _ descriptor: CInt,
        for interest: Readiness,
        _ handler: @escaping @Sendable (Readiness) -> Void
    ) throws(SystemError) -> DescriptorWatch {
        try watch(descriptor, epollBits: interest.rawValue, handler)
    }

    /// Suspends until the descriptor is ready or has failed. The next call on it tells which.
    public nonisolated(nonsending) func waitUntil(_ interest: Interest, _ descriptor: CInt) async throws {
        try await wait(for: interest == .readable ? .readable : .writable, of: descriptor)
    }

    /// Suspends until the descriptor has failed or its other end has gone.
    public nonisolated(nonsending) func waitUntilEnded(_ descriptor: CInt) async throws {
        // The kernel reports both without a request.
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
