import CLinux
import Glibc

/// Reports when one of several paths may have appeared, changed or disappeared, without polling.
///
/// It watches the nearest folder above each path that exists. A neighbour of the path may have woken it, so the caller
/// must check the path. It serves one wait; the next one needs a new watch, as the folders may be others by then.
public final class ArrivalWatch: Sendable {
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop

    /// Notices everything that happens from now on.
    public init(for paths: [String], on loop: EventLoop) throws(SystemError) {
        let number = try retrying("inotify_init1") { inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)) }
        descriptor = OwnedDescriptor(takingOwnershipOf: number)
        self.loop = loop
        for folder in Set(paths.map(Self.nearestFolder)) {
            // A folder that vanished meanwhile is no error: the next watch is on its parent.
            _ = inotify_add_watch(number, folder, UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF))
        }
    }

    /// Suspends until something has happened or the time is up; returns true for an event. Cancelling the task ends it
    /// early.
    public func happened(within limit: Duration) async -> Bool {
        let resumption = Resumption<Bool>()
        let timer = loop.schedule(after: limit) { @Sendable in resumption.resume(with: .success(false)) }
        let bits = Readiness.readable.rawValue | EPOLLONESHOT.rawValue
        // If the watch fails, only the time limit ends the wait.
        let watch = try? loop.watch(descriptor.number, epollBits: bits) { @Sendable _ in
            resumption.resume(with: .success(true))
        }
        defer {
            timer.cancel()
            watch?.cancel()
        }
        return (try? await resumption.valueUnlessCancelled()) ?? false
    }

    private static func nearestFolder(above path: String) -> String {
        var folder = path[...]
        while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            folder = folder[..<slash]
            if access(String(folder), F_OK) == 0 { return String(folder) }
        }
        return "/"
    }
}
